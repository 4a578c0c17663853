/**
 * Writes what is derived from the schema: `src/graphql/schema.graphql`, which is committed so that a review can read
 * it, and the typed documents of the REST door and of the console, which are not.
 *
 *   node codegen.ts           writes both
 *   node codegen.ts --check   writes the documents, and fails when the committed SDL is not current
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse, printSchema } from 'graphql';
import { schema } from './src/graphql/schema/schema.ts';

const SDL_FILE = 'src/graphql/schema.graphql';
/** Where operations are written, and where their typed documents go. */
const DOCUMENTS_FILES = {
  'src/doors/rest/operations.graphql': 'src/generated/operations.ts',
  'src/console-app/api/operations.graphql': 'src/generated/console-operations.ts',
};

const sdl = `${printSchema(schema)}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(SDL_FILE, 'utf8').catch(() => '');
  if (committed !== sdl) {
    console.error(`${SDL_FILE} is not current: run npm run generate and commit it.`);
    process.exitCode = 1;
  }
} else {
  await writeFile(SDL_FILE, sdl);
}

await mkdir('src/generated', { recursive: true });
for (const [location, filename] of Object.entries(DOCUMENTS_FILES)) {
  const documents = await codegen({
    filename,
    schema: parse(sdl),
    documents: [{ location, document: parse(await readFile(location, 'utf8')) }],
    plugins: [{ operations: {} }, { typedDocumentNode: {} }],
    pluginMap: { operations, typedDocumentNode },
    config: {
      useTypeImports: true,
      enumsAsTypes: true,
      strictScalars: true,
      scalars: { DateTime: 'string', URL: 'string', UUID: 'string' },
    },
  });
  await writeFile(filename, documents);
}
