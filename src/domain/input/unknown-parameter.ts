import { distance } from 'fastest-levenshtein';
import { MAX_PATH_LENGTH } from '../../errors.ts';
import { EMBED_SETTINGS } from '../embed/settings.ts';
import type { ParameterList } from './parameters.ts';

export const UNKNOWN_MESSAGE = 'is not a parameter of this operation';

/** Parameters of other APIs' lists that have no equivalent here. */
const PAGING_NAMES = new Set(['page', 'offset', 'skip', 'cursor', 'start']);
/** Names in other APIs, and the plain names here. */
const SYNONYMS = new Map([
  ['q', 'search'],
  ['query', 'search'],
  ['sort', 'orderby'],
  ['sortby', 'orderby'],
  ['limit', 'first'],
  ['theme', 'mode'],
]);
const MAX_TYPOS = 2;
/** In REST, these settings of an embed have a resource of their own. */
const SETTINGS = new Set(EMBED_SETTINGS.map(({ restName }) => restName));

export function describeUnknown(path: string, { byPath, spelling }: ParameterList): string {
  const cursor = spelling === 'rest' ? 'end_cursor' : 'endCursor';
  if (byPath.has('after') && PAGING_NAMES.has(path))
    return `${UNKNOWN_MESSAGE}; page with \`after\`, the \`${cursor}\` of the previous page`;
  if (spelling === 'rest' && byPath.has('show_top_bar') && SETTINGS.has(path))
    return `${UNKNOWN_MESSAGE}; send it to \`/v1/embeds/{id}/settings\``;
  const similar = findSimilarName(path, [...byPath.keys()]);
  return similar === undefined ? UNKNOWN_MESSAGE : `${UNKNOWN_MESSAGE}; did you mean \`${similar}\`?`;
}

/** Finds the name that a client meant: a synonym, a part of it, or the same with few typing errors. */
export function findSimilarName(sentName: string, names: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const sent = plain(sentName.slice(0, MAX_PATH_LENGTH));
  const synonym = SYNONYMS.get(sent);
  const meant = names.find((name) => plain(name) === synonym);
  return (
    meant ??
    names.find((name) => {
      const known = plain(name);
      const isPart = sent.length > 2 && (known.includes(sent) || sent.includes(known));
      return isPart || distance(sent, known) <= Math.min(MAX_TYPOS, known.length / 2);
    })
  );
}
