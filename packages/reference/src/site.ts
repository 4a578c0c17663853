import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { html } from '../../reader/src/html.ts';
import { readExamples } from './graphql/examples.ts';
import { createFieldPage, type OperationKind } from './graphql/field-page.ts';
import { createTypesPage } from './graphql/types-page.ts';
import { renderMarkdown } from './markdown.ts';
import { type Group, OVERVIEW, type Page } from './page.ts';
import { createObjectsPage } from './rest/objects-page.ts';
import { operationsOf, readDocument } from './rest/openapi.ts';
import { createOperationPage } from './rest/operation-page.ts';

/** Pages that are written as Markdown, by group, with the text of links to them. */
const WRITTEN = {
  Guides: {
    'README.md': 'Start',
    'docs/guides/html.md': 'Plain HTML',
    'docs/guides/react.md': 'React',
    'docs/guides/next.md': 'Next.js',
    'docs/guides/wordpress.md': 'WordPress',
    'docs/embedding.md': 'Embedding',
    'docs/sources.md': 'What is shown',
    'docs/copies.md': 'What is kept',
    'docs/media.md': 'Pictures and players',
    'docs/readers.md': 'For readers',
    'docs/oembed.md': 'oEmbed',
    'docs/api/pages.md': 'Page states',
    'docs/api/page-changes.md': 'Page changes',
    'docs/api/articles.md': 'Articles',
    'docs/api/views.md': 'Views',
    'docs/api/paging.md': 'Paging',
    'docs/api/filtering.md': 'Filters and search',
    'docs/api/idempotency.md': 'Idempotency',
    'docs/api/external-ids.md': 'External ids',
    'docs/api/subscriptions.md': 'Subscriptions',
    'docs/api/settings.md': 'Settings',
    'docs/api/changes.md': 'Changes',
    'docs/api/tokens.md': 'Tokens',
    'docs/api/audit.md': 'Audit events',
    'docs/api/webhooks.md': 'Webhooks',
    'docs/api/receivers.md': 'Receivers',
    'docs/api/errors.md': 'Errors',
  },
  REST: { 'docs/api/rest.md': OVERVIEW },
  GraphQL: { 'docs/api/graphql.md': OVERVIEW },
  Operate: {
    'docs/console.md': 'Console',
    'docs/sign-in.md': 'Sign-in',
    'docs/kit.md': 'Client and component',
    'docs/clients.md': 'Clients',
    'docs/mcp.md': 'Agents',
    'docs/cli.md': 'Command line',
    'docs/configuration.md': 'Configuration',
    'docs/operations/production.md': 'Production',
    'docs/operations/upgrading.md': 'Upgrading',
    'CHANGELOG.md': 'Changelog',
    'SECURITY.md': 'Security',
    'docs/operations/rendering.md': 'JavaScript pages',
    'docs/operations/cdn.md': 'CDN',
    'docs/operations/limits.md': 'Limits',
    'docs/operations/durability.md': 'Durability',
    'docs/operations/observability.md': 'Observability',
    'docs/operations/postgresql.md': 'PostgreSQL',
    'docs/operations/scaling.md': 'Scaling',
    'docs/operations/citus.md': 'Citus',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type GroupTitle = keyof typeof WRITTEN;

const FILES = Object.values(WRITTEN).flatMap((pages) => Object.keys(pages));
const URLS = new Map(FILES.map((file) => [file, urlOf(file)]));

/** The part of the README for visitors of the repository. */
const REPOSITORY_PART = /^## Where to read on$[\s\S]*?(?=^## Licence$)/m;

const MISSING: Page = {
  url: '/docs/not-found',
  title: 'There is no such page',
  description: 'The reference has no page at this address.',
  content: html`<header><h1>There is no such page</h1></header>
<p>The page may have moved, or the address is misspelt. Search for it above, or begin at <a href="/docs">Start</a>.</p>`,
  headings: [],
  anchors: [],
};

export interface Site {
  readonly version: string;
  readonly groups: readonly Group[];
  /** Shown for a path that has no page. The navigation and the search do not list it. */
  readonly missing: Page;
}

/**
 * Creates all pages from the documentation, the OpenAPI document and the schema of GraphQL.
 * @throws if a query, mutation or subscription has no example in the documentation
 */
export function createSite(): Site {
  const document = readDocument();
  const operations = operationsOf(document).map((operation) => createOperationPage(operation, document));
  const groups = [
    { title: 'Guides', pages: writtenPagesOf('Guides') },
    { title: 'REST', pages: [...writtenPagesOf('REST'), ...operations, createObjectsPage(document)] },
    { title: 'GraphQL', pages: [...writtenPagesOf('GraphQL'), ...createGraphqlPages()] },
    { title: 'Operate', pages: writtenPagesOf('Operate') },
  ];
  return { version: document.info.version, groups, missing: MISSING };
}

function writtenPagesOf(group: GroupTitle): readonly Page[] {
  return Object.entries(WRITTEN[group]).map(([file, label]) => createWrittenPage(file, label, group));
}

function createWrittenPage(file: string, label: string, group: GroupTitle): Page {
  const markdown = readFileSync(file, 'utf8').replace(file === 'README.md' ? REPOSITORY_PART : /^$(?!)/, '');
  const { title, content, headings, rows } = renderMarkdown(markdown, file, URLS);
  return {
    url: urlOf(file),
    title,
    label,
    description: firstSentenceOf(markdown) ?? `${title}.`,
    content: html`<header><p class="eyebrow">${group}</p><h1>${title}</h1></header>${content}`,
    headings,
    anchors: rows,
  };
}

/** Returns the first sentence below the title as plain text; null if a list, a table or code follows the title. */
function firstSentenceOf(markdown: string): string | null {
  const [, paragraph = ''] = markdown.split(/\n{2,}/);
  if (!/^(?!```)[a-z`[*]/i.test(paragraph)) return null;
  const text = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*<>]/g, '');
  return /^.*?\.(?= |$)/.exec(text.replace(/\s+/g, ' '))?.[0] ?? null;
}

function urlOf(file: string): string {
  if (file === 'README.md') return '/docs';
  const path = file.startsWith('docs/') ? file : `docs/${file.toLowerCase()}`;
  return `/${path.replace('/api/', '/').replace(/\.md$/, '')}`;
}

function createGraphqlPages(): readonly Page[] {
  const schema = buildSchema(readFileSync('src/graphql/schema.graphql', 'utf8'));
  const examples = readExamples(['docs/api/graphql.md', ...FILES.filter((file) => file.startsWith('docs/api/'))]);
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const satisfies readonly (readonly [OperationKind, unknown])[];
  const fields = roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => {
      const example = examples.get(field.name);
      if (!example) throw new Error(`docs/api/ has no example of the ${kind} ${field.name}.`);
      return createFieldPage(kind, field, example);
    }),
  );
  return [...fields, createTypesPage(schema)];
}
