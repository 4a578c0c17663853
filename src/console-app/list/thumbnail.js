import { useRef } from 'preact/hooks';
import { jsx as _jsx } from 'preact/jsx-runtime';
import { isPending } from './embed-view-model.ts';
/**
 * The embed itself, made small: a picture that cannot be reached. It is loaded when it comes into sight, and anew when
 * its settings have changed, but not before the API has them.
 */
export function Thumbnail({ embed, title, isBusy }) {
  const { embedUrl, mode, font, showTopBar } = embed;
  const settings = [embedUrl, mode, font, showTopBar].join(' ');
  const shown = useRef(settings);
  if (!isBusy) shown.current = settings;
  return _jsx('div', {
    class: 'thumbnail',
    inert: true,
    'data-mode': mode,
    children:
      !isPending(embed) &&
      _jsx(
        'iframe',
        {
          src: embedUrl,
          title: `Preview of ${title}`,
          loading: 'lazy',
          tabIndex: -1,
          sandbox: 'allow-scripts allow-same-origin',
          onLoad: ({ currentTarget }) => {
            currentTarget.dataset.loaded = '';
          },
        },
        shown.current,
      ),
  });
}
