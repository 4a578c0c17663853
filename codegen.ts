/**
 * Generates code from the schema and from the fields of an embed. Not committed: in `src/generated` the typed documents of
 * the doors of REST and MCP and the representation of an embed in REST, and in the console the typed documents and the fields of its
 * forms, filters and CSV files. `src/graphql/schema.graphql` is committed, so that reviewers can read it.
 *
 *   node codegen.ts           writes the code that is not committed
 *   node codegen.ts --sdl     writes the SDL
 *   node codegen.ts --check   fails if the committed SDL is not current, and writes nothing
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse, printSchema } from 'graphql';
import { ALL_FIELDS, inputFieldsOf, type NamedField, REST_FIELDS, SETTING_NAMES } from './src/domain/embed/fields.ts';
import { ATTENTION_STATES } from './src/domain/page-copy.ts';
import { schema } from './src/graphql/schema/schema.ts';

const SDL_FILE = 'src/graphql/schema.graphql';
/** Folders of generated code, which git ignores. */
const GENERATED = ['src/generated', 'packages/console/src/generated'];
const FRAGMENTS_FILE = 'src/graphql/fragments.graphql';

/** The fields that the documents of a door select. */
const fragmentOf = (name: string, fields: readonly { readonly name: string }[]) =>
  `fragment ${name} on Embed { ${fields.map((field) => field.name).join(' ')} }`;

/** Operations with the fragments that they use, and the files of their typed documents. */
const DOCUMENTS = [
  {
    location: 'src/doors/rest/operations.graphql',
    fragment: fragmentOf('EmbedParts', REST_FIELDS),
    filename: 'src/generated/operations.ts',
  },
  {
    location: 'src/doors/mcp/operations.graphql',
    fragment: fragmentOf('EmbedParts', REST_FIELDS),
    filename: 'src/generated/mcp-operations.ts',
  },
  {
    location: 'packages/console/src/api/operations.graphql',
    fragment: fragmentOf(
      'EmbedContent',
      ALL_FIELDS.filter(({ restName, restIn, inputs }) => (restName !== null || inputs?.create) && !restIn),
    ),
    filename: 'packages/console/src/generated/operations.ts',
  },
];

const sdl = `${printSchema(schema)}\n`;

if (process.argv.includes('--check')) await checkSdl();
else if (process.argv.includes('--sdl')) await writeFile(SDL_FILE, sdl);
else {
  for (const folder of GENERATED) await mkdir(folder, { recursive: true });
  await generateOperations();
  await generateRestEmbed();
  await generateConsoleFields();
}

async function checkSdl(): Promise<void> {
  const committed = await readFile(SDL_FILE, 'utf8').catch(() => '');
  if (committed === sdl) return;
  console.error(`${SDL_FILE} is not current: run npm run generate and commit it.`);
  process.exitCode = 1;
}

async function generateOperations(): Promise<void> {
  const fragments = await readFile(FRAGMENTS_FILE, 'utf8');
  for (const { location, fragment, filename } of DOCUMENTS) {
    const document = parse(`${await readFile(location, 'utf8')}\n${fragment}\n${fragments}`);
    const documents = await codegen({
      filename,
      schema: parse(sdl),
      documents: [{ location, document }],
      plugins: [{ operations: {} }, { typedDocumentNode: {} }],
      pluginMap: { operations, typedDocumentNode },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        scalars: { Date: 'string', DateTime: 'string', URL: 'string', UUID: 'string', LookWidth: 'number | string' },
      },
    });
    await writeFile(filename, documents);
  }
}

async function generateRestEmbed(): Promise<void> {
  // an object literal is several times as fast as a loop over the fields
  const properties = REST_FIELDS.map(({ name, restName, type }) => {
    return `    ${restName}: embed.${name}${type === 'enum' ? '.toLowerCase()' : ''},\n`;
  });
  await writeFile(
    'src/generated/rest-embed.ts',
    `import type { EmbedPartsFragment } from './operations.ts';

/** Converts an embed to the representation of REST. */
export function toRest(embed: EmbedPartsFragment) {
  return {
${properties.join('')}  };
}

export type RestEmbed = ReturnType<typeof toRest>;
`,
  );
}

async function generateConsoleFields(): Promise<void> {
  const settings = ALL_FIELDS.filter(({ name }) => (SETTING_NAMES as readonly string[]).includes(name));
  const createNames = new Set(inputFieldsOf('create').map(({ name }) => name));
  const isImported = ({ name }: NamedField) => createNames.has(name);
  const filters = inputFieldsOf('filter').filter(({ restIn }) => !restIn);
  // the order of the command `export`
  const columns = [...REST_FIELDS.filter((field) => !isImported(field)), ...REST_FIELDS.filter(isImported)];
  await writeFile(
    'packages/console/src/generated/fields.ts',
    `/** A setting of an embed, for forms. */
export interface Setting {
  readonly name: SettingName;
  readonly type: string;
  readonly label: string;
  readonly hint?: string;
  /** The values of an enum. */
  readonly values?: readonly string[];
  readonly default: unknown;
  /** The value is forced while other settings have these values. */
  readonly forced?: {
    readonly value: unknown;
    readonly while: Readonly<Record<string, string>>;
    readonly hint: string;
  };
}

/** A field that the list can be filtered by. */
export interface Filter {
  readonly name: FilterName;
  readonly type: string;
  readonly label: string;
  /** The values of an enum. */
  readonly values?: readonly string[];
}

/** States of pages that need the attention of the owner. */
export const ATTENTION_STATES: readonly string[] = ${JSON.stringify(ATTENTION_STATES)};

export type FilterName = ${filters.map(({ name }) => `'${name}'`).join(' | ')};

export const FILTERS: readonly Filter[] = ${JSON.stringify(
      filters.map(({ name, type, label = name, values }) => {
        return { name, type, label, values: values && Object.keys(values) };
      }),
      null,
      2,
    )};

/** A column of CSV files. */
export interface Column {
  /** The field in GraphQL. */
  readonly name: string;
  /** The name in the first line of the file. */
  readonly column: string;
  readonly type: string;
  /** The values of an enum. */
  readonly values?: readonly string[];
  /** An import ignores the other columns of an export. */
  readonly isImported: boolean;
}

export const COLUMNS: readonly Column[] = ${JSON.stringify(
      columns.map((field) => {
        const { name, restName, type, values } = field;
        return { name, column: restName, type, values: values && Object.keys(values), isImported: isImported(field) };
      }),
      null,
      2,
    )};

export type SettingName = ${SETTING_NAMES.map((name) => `'${name}'`).join(' | ')};

export const SETTINGS: readonly Setting[] = ${JSON.stringify(
      settings.map(({ name, type, label = name, hint, values, forced, default: value }) => {
        return { name, type, label, hint, values: values && Object.keys(values), default: value, forced };
      }),
      null,
      2,
    )};
`,
  );
}
