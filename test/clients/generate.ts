import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { parse } from 'graphql';

const EXAMPLES = join(import.meta.dirname, 'examples');
const OUTPUT = join(import.meta.dirname, 'generated');
const SDL_FILE = 'src/graphql/schema.graphql';
const SCALARS = { Date: 'string', DateTime: 'string', LookWidth: 'number | string', URL: 'string', UUID: 'string' };

/** Generates the types of the clients from the OpenAPI document and the SDL. */
export async function generate(openApi: object): Promise<void> {
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(join(OUTPUT, 'relay'), { recursive: true });
  writeFileSync(join(OUTPUT, 'openapi.json'), JSON.stringify(openApi));
  await run('openapi-typescript', 'bin/cli.js', 'openapi.json', '--output', 'openapi.ts');
  await generateDocuments(['urql.ts', 'apollo.ts']);
  await generateArtifacts();
}

/** Runs a command of an installed package on the current Node. */
export async function run(name: string, command: string, ...args: readonly string[]): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const script = join(dirname(manifest), command);
  return (await promisify(execFile)(process.execPath, [script, ...args], { cwd: OUTPUT })).stdout;
}

/** Runs graphql-codegen's client preset on the documents in the files. */
async function generateDocuments(files: readonly string[]): Promise<void> {
  const texts = files.flatMap((file) => {
    const documents = readFileSync(join(EXAMPLES, file), 'utf8').matchAll(/\bgraphql\(`([^`]+)`\)/g);
    return [...documents].map(([, text = '']) => ({
      location: join(EXAMPLES, file),
      document: parse(text),
      rawSDL: text,
    }));
  });
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: `${join(OUTPUT, 'graphql')}/`,
    schema: parse(readFileSync(SDL_FILE, 'utf8')),
    documents: texts,
    config: { scalars: SCALARS, strictScalars: true, useTypeImports: true, enumsAsTypes: true, importExtension: '.ts' },
    plugins: [],
    pluginMap: {},
    presetConfig: {},
  });
  mkdirSync(join(OUTPUT, 'graphql'));
  for (const section of sections) writeFileSync(section.filename, await codegen(section));
}

/** Runs relay-compiler on the documents of the examples. Paths are relative to its configuration. */
async function generateArtifacts(): Promise<void> {
  const config = {
    src: '../examples',
    language: 'typescript',
    schema: '../../../src/graphql/schema.graphql',
    artifactDirectory: './relay',
    eagerEsModules: true,
    excludes: ['**/node_modules/**', '**/generated/**'],
    customScalarTypes: SCALARS,
  };
  const file = join(OUTPUT, 'relay.config.json');
  writeFileSync(file, JSON.stringify(config));
  await run('relay-compiler', 'cli.js', file);
}
