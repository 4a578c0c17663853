import { useQuery } from '@urql/preact';
import { useEffect, useState } from 'preact/hooks';
import { jsx as _jsx, jsxs as _jsxs } from 'preact/jsx-runtime';
import { EmbedsDocument } from '../../generated/console-operations.ts';
import { pageOf } from '../api/cache.ts';
import { NEW } from '../route.ts';
import { Icon } from '../ui/icons.tsx';
import { EmptyState } from './empty-state.tsx';
import { ListPage } from './list-page.tsx';
import { SearchField } from './search-field.tsx';
/** All embeds, or those that words find, newest first. */
export function EmbedList({ isShown, streams, mayWrite, busy, onDelete }) {
  const [search, setSearch] = useState('');
  const [{ data, fetching }, again] = useQuery({ query: EmbedsDocument, variables: pageOf(search) });
  const total = fetching ? undefined : data?.embeds.totalCount;
  useEffect(() => {
    if (streams > 0) again({ requestPolicy: 'cache-and-network' });
  }, [streams]);
  const isEmpty = total === 0 && search === '';
  return _jsxs('main', {
    id: isShown ? 'main' : undefined,
    class: 'list-view',
    hidden: !isShown,
    tabIndex: -1,
    children: [
      _jsxs('div', {
        class: 'view-head',
        children: [
          _jsxs('h1', {
            id: 'list-heading',
            tabIndex: -1,
            children: [
              'Embeds',
              total !== undefined &&
                _jsxs('span', {
                  class: 'count',
                  'data-total': total,
                  children: [
                    _jsx('span', { class: 'spoken', children: ', ' }),
                    total.toLocaleString('en'),
                    !data?.embeds.totalCountIsExact && '+',
                    _jsx('span', { class: 'spoken', children: search === '' ? ' in all' : ' found' }),
                  ],
                }),
            ],
          }),
          !isEmpty && _jsx(SearchField, { onSearch: setSearch }),
          mayWrite &&
            !isEmpty &&
            _jsxs('a', { class: 'button primary', href: NEW, children: [_jsx(Icon, { name: 'plus' }), 'New embed'] }),
        ],
      }),
      isEmpty && _jsx(EmptyState, { mayWrite: mayWrite }),
      total === 0 && search !== '' && _jsx(NothingFound, { search: search }),
      total !== 0 &&
        _jsx(
          Pages,
          { search: search, mayWrite: mayWrite, busy: busy, onDelete: onDelete },
          `${Math.max(1, streams)} ${search}`,
        ),
    ],
  });
}
/** As many pages as were scrolled to. */
function Pages({ search, ...props }) {
  const [cursors, setCursors] = useState([null]);
  const addPage = (after) => setCursors((all) => (all.includes(after) ? all : [...all, after]));
  useEffect(() => scrollTo(0, 0), []);
  return _jsx('ul', {
    class: 'grid',
    'aria-labelledby': 'list-heading',
    children: cursors.map((after, i) =>
      _jsx(
        ListPage,
        { search: search, after: after, isLast: i === cursors.length - 1, onMore: addPage, ...props },
        after,
      ),
    ),
  });
}
function NothingFound({ search }) {
  return _jsxs('section', {
    class: 'empty',
    children: [
      _jsxs('h2', { children: ['No embed has \u201C', search, '\u201D'] }),
      _jsx('p', {
        class: 'lead',
        children:
          'Whole words of a page\u2019s title or URL are found, in any order: \u201Cplanner\u201D, not \u201Cplan\u201D.',
      }),
    ],
  });
}
