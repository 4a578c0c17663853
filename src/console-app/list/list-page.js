import { useQuery } from '@urql/preact';
import { useEffect, useRef } from 'preact/hooks';
import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { EmbedsDocument } from '../../generated/console-operations.ts';
import { troubleOf } from '../api/api-error.ts';
import { pageOf } from '../api/cache.ts';
import { Icon } from '../ui/icons.tsx';
import { EmbedCard } from './embed-card.tsx';

/** A page begins to load when its place is so near. */
const AHEAD = '600px';
const SKELETONS = 6;
/** One page of the list and, at the end of the last one, the way to the next. */
export function ListPage({ search, after, isLast, onMore, mayWrite, busy, onDelete }) {
  const [{ data, error, fetching }, again] = useQuery({ query: EmbedsDocument, variables: pageOf(search, after) });
  if (error && !data)
    return _jsx(Failed, {
      message: wordsOf(troubleOf(error)),
      onRetry: () => again({ requestPolicy: 'network-only' }),
      isBusy: fetching,
    });
  if (!data) return _jsx(Skeletons, {});
  const { edges, pageInfo } = data.embeds;
  return _jsxs(_Fragment, {
    children: [
      edges.map(({ node }) =>
        _jsx(EmbedCard, { embed: node, mayWrite: mayWrite, isBusy: busy.has(node.id), onDelete: onDelete }, node.id),
      ),
      isLast && pageInfo.hasNextPage && pageInfo.endCursor && _jsx(More, { after: pageInfo.endCursor, onMore: onMore }),
    ],
  });
}
/** All that can be wrong with what is asked for is the search. */
function wordsOf({ message, faults }) {
  const [fault] = Object.values(faults);
  return fault ? `The search ${fault}.` : message;
}
/** Loads more when it comes near; the button is for who gets there first, and for who uses no pointer. */
function More({ after, onMore }) {
  const place = useRef(null);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onMore(after);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [after, onMore]);
  return _jsx('li', {
    ref: place,
    class: 'whole-row',
    children: _jsx('button', { type: 'button', class: 'button', onClick: () => onMore(after), children: 'Load more' }),
  });
}
function Skeletons() {
  return _jsxs(_Fragment, {
    children: [
      _jsx('li', { class: 'spoken', role: 'status', children: 'Loading embeds\u2026' }),
      Array.from({ length: SKELETONS }, (_, i) =>
        _jsxs(
          'li',
          {
            class: 'card skeleton',
            'aria-hidden': 'true',
            children: [
              _jsx('div', { class: 'thumbnail' }),
              _jsxs('div', { class: 'card-body', children: [_jsx('i', {}), _jsx('i', {})] }),
            ],
          },
          i,
        ),
      ),
    ],
  });
}
function Failed(props) {
  return _jsxs('li', {
    class: 'whole-row failed',
    role: 'alert',
    children: [
      _jsx(Icon, { name: 'warning' }),
      _jsx('p', { children: props.message }),
      _jsx('button', {
        type: 'button',
        class: 'button',
        onClick: props.onRetry,
        'aria-busy': props.isBusy,
        children: 'Try again',
      }),
    ],
  });
}
