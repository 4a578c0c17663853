/**
 * Generates code from the schema: the typed operations of the REST door and of the console, and `src/graphql/schema.graphql`,
 * which is committed so that reviewers can read it.
 *
 *   node codegen.ts           writes the typed operations
 *   node codegen.ts --sdl     writes the SDL
 *   node codegen.ts --check   fails if the committed SDL is not current, and writes nothing
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse, printSchema } from 'graphql';
import { schema } from './src/graphql/schema/schema.ts';

const SDL_FILE = 'src/graphql/schema.graphql';
/** Files of generated code by the file of their operations. */
const GENERATED_FILES = {
  'src/doors/rest/operations.graphql': 'src/generated/operations.ts',
  'src/console-app/api/operations.graphql': 'src/generated/console-operations.ts',
};

const sdl = `${printSchema(schema)}\n`;

if (process.argv.includes('--check')) await checkSdl();
else if (process.argv.includes('--sdl')) await writeFile(SDL_FILE, sdl);
else await generateOperations();

async function checkSdl(): Promise<void> {
  const committed = await readFile(SDL_FILE, 'utf8').catch(() => '');
  if (committed === sdl) return;
  console.error(`${SDL_FILE} is not current: run npm run generate and commit it.`);
  process.exitCode = 1;
}

async function generateOperations(): Promise<void> {
  await mkdir('src/generated', { recursive: true });
  for (const [location, filename] of Object.entries(GENERATED_FILES)) {
    const generated = await codegen({
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
    await writeFile(filename, generated);
  }
}
