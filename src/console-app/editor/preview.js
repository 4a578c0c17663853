import { useEffect, useRef, useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { siteOf } from '../list/embed-view-model.ts';
import { Icon } from '../ui/icons.tsx';
import { completeUrl } from './page-url-field.tsx';
import { EMBED_SANDBOX, showPreview } from './preview-frame.ts';

/** How long typing must pause. A choice needs no such time. */
const TYPING_PAUSE_MS = 450;
/** What the embed would show, made by what shows embeds: it is what it will be. */
export function Preview({ draft, token, isAllowed, embedUrl }) {
  const stage = useRef(null);
  const shown = useRef(null);
  const [isLoading, setLoading] = useState(false);
  const [isNarrow, setNarrow] = useState(false);
  const pageUrl = completeUrl(draft.pageUrl);
  const { mode, font, showTopBar } = draft;
  const isReady = isAllowed && isPage(pageUrl);
  useEffect(() => {
    const place = stage.current;
    if (!place || !isReady) return;
    const wanted = { pageUrl, mode, font, showTopBar };
    const isTyped = shown.current !== null && (shown.current.pageUrl !== pageUrl || shown.current.font !== font);
    const timer = setTimeout(
      async () => {
        shown.current = wanted;
        setLoading(true);
        await showPreview(place, { draft: wanted, token });
        if (shown.current === wanted) setLoading(false);
      },
      isTyped ? TYPING_PAUSE_MS : 0,
    );
    return () => clearTimeout(timer);
  }, [pageUrl, mode, font, showTopBar, token, isReady]);
  return _jsxs('section', {
    class: 'preview',
    'aria-label': 'Preview',
    children: [
      _jsxs('div', {
        class: 'preview-head',
        children: [
          _jsx('h2', { children: 'Preview' }),
          _jsx('span', { class: 'preview-url', children: isReady && siteOf(pageUrl) }),
          _jsx('span', {
            class: 'spoken',
            role: 'status',
            children: isLoading ? 'Loading the preview' : isReady && shown.current && 'The preview is up to date',
          }),
          _jsxs('fieldset', {
            class: 'segments small',
            'aria-label': 'Width of the preview',
            children: [
              _jsxs('button', {
                type: 'button',
                'aria-pressed': !isNarrow,
                onClick: () => setNarrow(false),
                children: [_jsx(Icon, { name: 'system' }), _jsx('span', { class: 'spoken', children: 'Wide' })],
              }),
              _jsxs('button', {
                type: 'button',
                'aria-pressed': isNarrow,
                onClick: () => setNarrow(true),
                children: [_jsx(Icon, { name: 'phone' }), _jsx('span', { class: 'spoken', children: 'Phone' })],
              }),
            ],
          }),
        ],
      }),
      _jsxs('div', {
        class: 'preview-body',
        'aria-busy': isLoading,
        children: [
          _jsx('div', { ref: stage, class: 'stage', 'data-narrow': isNarrow, hidden: !isReady }),
          !isAllowed &&
            embedUrl &&
            _jsx('div', {
              class: 'stage',
              children: _jsx('iframe', {
                src: embedUrl,
                title: 'The embed',
                sandbox: EMBED_SANDBOX,
                'data-mode': mode,
              }),
            }),
          !isReady &&
            !(embedUrl && !isAllowed) &&
            _jsxs('div', {
              class: 'preview-hint',
              children: [
                _jsx(Icon, { name: 'page' }),
                _jsx('p', {
                  children: isAllowed
                    ? 'Enter the URL of a page to see it here as an embed.'
                    : 'Previews need a token that may write.',
                }),
              ],
            }),
        ],
      }),
    ],
  });
}
/** Whether a text may be a whole address: half of one is not worth asking for. */
function isPage(text) {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url !== null && !/\s/.test(text) && /(\.[a-z0-9-]{2,}|^localhost|\d|\])\.?$/i.test(url.hostname);
}
