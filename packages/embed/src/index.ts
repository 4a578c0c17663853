import './element.js';

/** Attributes of `<page-embed>`. */
export interface PageEmbedAttributes {
  /** The embed URL: `embed_url` in REST, `embedUrl` in GraphQL. Other URLs are ignored. */
  readonly src: string;
  /** The name of the iframe for screen readers. */
  readonly title: string;
}

/** The element `<page-embed>`: as high as the embed, unless a CSS rule sets its height. */
export interface PageEmbedElement extends HTMLElement {}

declare global {
  interface HTMLElementTagNameMap {
    'page-embed': PageEmbedElement;
  }
}
