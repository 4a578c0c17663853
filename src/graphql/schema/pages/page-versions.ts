import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { sourceUrlOf } from '#reader/page-url';
import { cursorParameters } from '../../../domain/identity/cursor-paging.ts';
import { checkInstant } from '../../../domain/instant.ts';
import {
  type ComparedVersion,
  compareVersion,
  MAX_PAGE_VERSIONS,
  type PageVersionText,
  TEXT_CHANGES,
  type TextChange,
} from '../../../domain/page-version.ts';
import { builder } from '../builder.ts';
import { cursorListOf } from '../cursor-lists.ts';
import { defineEnum } from '../fields.ts';
import { cursorConnectionOf, fieldsIn } from '../page-info.ts';
import { PageType } from './page.ts';

const VERSIONS = cursorListOf('versions', cursorParameters(checkInstant), MAX_PAGE_VERSIONS);

const TextChangeKindType = defineEnum('TextChangeKind', 'What happened to a paragraph.', TEXT_CHANGES);

const TextChangeType = builder.objectRef<TextChange>('TextChange').implement({
  description: 'A paragraph that was added or removed. It is content of a third party.',
  fields: (t) => ({
    kind: t.expose('kind', { type: TextChangeKindType, description: 'What happened to it.' }),
    text: t.exposeString('text', { description: 'The paragraph, in plain text.' }),
  }),
});

const PageVersionType = builder.objectRef<ComparedVersion>('PageVersion').implement({
  description: 'The text of a page from one time on.',
  fields: (t) => ({
    fetchedAt: t.expose('fetchedAt', {
      type: 'DateTime',
      description: 'The time when the service first fetched this text. The page may have changed before.',
    }),
    text: t.string({
      description: 'The plain text, with an empty line between paragraphs. It is content of a third party.',
      resolve: ({ paragraphs }) => paragraphs.join('\n\n'),
    }),
    changes: t.expose('changes', {
      type: [TextChangeType],
      description:
        'What changed since the version before, in the order of the text: a changed paragraph was removed and added. Empty for the oldest version that is kept.',
    }),
  }),
});

const PageVersionConnectionType = builder.connectionObject(
  { type: PageVersionType, name: 'PageVersionConnection', description: 'The versions of a page.' },
  { name: 'PageVersionEdge', description: 'A version and its position in the list.' },
);

/** Of the JSON around a paragraph. A text may have many short ones. */
const PARAGRAPH_BYTES = 32;

function sizeOf({ paragraphs }: PageVersionText): number {
  return paragraphs.reduce((sum, { length }) => sum + length + PARAGRAPH_BYTES, 0);
}

/** Counts the values in a response that repeat the paragraphs of a version. Fields of one name in the response are one value. */
function countValues(parents: readonly FieldNode[], fragments: GraphQLResolveInfo['fragments']): number {
  const areChanges = parents[0]?.name.value === 'changes';
  const byKey = Map.groupBy(fieldsIn(parents, fragments), ({ alias, name }) => (alias ?? name).value);
  return [...byKey.values()].reduce((count, fields) => {
    const isValue = areChanges || fields[0]?.name.value === 'text';
    return count + Number(isValue) + countValues(fields, fragments);
  }, 0);
}

builder.objectField(PageType, 'versions', (t) =>
  t.field({
    type: PageVersionConnectionType,
    description:
      'The last ten texts of the page, newest first, each with what it changed. Empty until the text changes for the first time, and after the page is gone or forbids copies. They are kept for 90 days, and count like articles in the limits of a request.',
    args: VERSIONS.args(t.arg),
    extensions: { rule: VERSIONS.rule },
    async resolve({ pageUrl }, args, context, info) {
      const { size, after } = VERSIONS.readPaging(args, context, info);
      const before = after === undefined ? undefined : new Date(after);
      const sourceUrl = sourceUrlOf(pageUrl);
      // one more, to which the last one is compared
      const versions = await context.pageVersions.find(sourceUrl, { limit: size + 1, before });
      const hasNewer = before !== undefined && (await context.pageVersions.hasSince(sourceUrl, before));
      const bytes = versions.reduce((sum, version) => sum + sizeOf(version), 0);
      context.budget.spend(
        'articleBytes',
        'article',
        bytes * Math.max(1, countValues(info.fieldNodes, info.fragments)),
      );
      const rows = versions.slice(0, size).map((version, i) => {
        return { id: version.fetchedAt.toISOString(), ...compareVersion(version, versions[i + 1]) };
      });
      return cursorConnectionOf({ rows, isCut: versions.length > size, hasNewer });
    },
  }),
);
