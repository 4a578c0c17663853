'use client';

import {
  createElement,
  type DetailedHTMLProps,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
} from 'react';
import type { PageEmbedAttributes, PageEmbedElement } from './index.ts';
import './element.js';

type Mode = 'light' | 'dark' | 'auto' | 'user_defined';

/** The attributes of `<page-embed>`, those of every HTML element, and the colour mode. */
export interface PageEmbedProps
  extends PageEmbedAttributes,
    Omit<HTMLAttributes<PageEmbedElement>, keyof PageEmbedAttributes> {
  /** The mode of the embed, as REST spells it. If it differs from the embed's, browsers paint a white background. */
  readonly mode?: Mode | undefined;
}

const COLOR_SCHEMES: Readonly<Record<Mode, string>> = {
  light: 'light',
  dark: 'dark',
  auto: 'light dark',
  user_defined: 'light dark',
};

/** Shows an embed. Its children are shown until the element is defined, and on the server. */
export const PageEmbed: ForwardRefExoticComponent<PageEmbedProps & RefAttributes<PageEmbedElement>> = forwardRef(
  function PageEmbed({ mode, style, className, ...attributes }, ref) {
    return createElement('page-embed', {
      ...attributes,
      ref,
      // React 18 would write the property as it is: `classname`
      class: className,
      style: mode === undefined ? style : { colorScheme: COLOR_SCHEMES[mode], ...style },
    });
  },
);

/** The element in JSX. React 18 calls the attribute for style sheets `class`. */
type PageEmbedJsx = DetailedHTMLProps<HTMLAttributes<PageEmbedElement>, PageEmbedElement> &
  PageEmbedAttributes & { readonly class?: string | undefined };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'page-embed': PageEmbedJsx;
    }
  }
}
