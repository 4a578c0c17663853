import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../open-app.ts';

const RECIPES = readFileSync('CONTRIBUTING.md', 'utf8');

/** Returns the first block of a language, without its indentation. */
function exampleIn(language: string): string {
  const [, indentation = '', text = ''] =
    new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'm').exec(RECIPES) ?? [];
  return text.replaceAll(new RegExp(`^${indentation}`, 'gm'), '');
}

/** The example of the recipe: the row of the table, the column and the enum. */
const FIELD = exampleIn('ts');
const [COLUMN = '', ENUM = ''] = exampleIn('prisma').split('\n\n');

const NOT_COMMITTED = /^(?:packages\/console\/)?src\/generated$|node_modules$/;
const COPIED = ['bin', 'docs', 'packages', 'prisma', 'src', 'test', '*.{json,md,ts}'];

/** Tests that list the fields of an embed, write its rows, or compare whole embeds. */
const TESTS = [
  ...['domain/fields', 'domain/input', 'rest/embeds', 'contracts/schema', 'documentation/examples'],
  ...['fuzz/rest', 'fuzz/agreement', 'fuzz/compiled', 'cli/embeds-input', 'settings/settings'],
  ...['graphql/event-streams', 'graphql/bulk-embeds'],
  ...[
    'store/embeds/rows',
    'store/embeds/embed-cache',
    'store/embeds/lists',
    'store/sqlite/integrity',
    'store/sqlite/unavailable',
  ],
];

/** Many tests share the machine with this one. */
const PATIENCE = ['--testTimeout=120000', '--hookTimeout=120000'];

/** Copies the project without generated code. Packages are shared. */
function copyProject(): string {
  const folder = temporaryFolder();
  for (const path of globSync(COPIED)) {
    cpSync(path, join(folder, path), { recursive: true, filter: (source) => !NOT_COMMITTED.test(source) });
  }
  for (const path of ['node_modules', 'test/databases/node_modules']) symlinkSync(resolve(path), join(folder, path));
  const include = ['src', 'codegen.ts', 'test/contracts'];
  writeFileSync(join(folder, 'tsconfig.src.json'), JSON.stringify({ extends: './tsconfig.json', include }));
  return folder;
}

function edit(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
}

/** Repeats the triggers of webhooks in the migration of SQLite, with the new field. */
function replaceWebhookTriggers(folder: string): void {
  const [webhooks = '', added = ''] = ['webhooks', 'add_density'].map((name) => {
    return globSync(join(folder, `prisma/migrations/*_${name}/migration.sql`))[0];
  });
  const triggers = readFileSync(webhooks, 'utf8').matchAll(/^CREATE TRIGGER ("Embed_webhook_\w+")[\s\S]*?^END;$/gm);
  const statements = [...triggers].map(([text, name]) => `DROP TRIGGER ${name};\n${withDensity(text)}\n`);
  expect(statements).toHaveLength(3);
  edit(added, (text) => [text, ...statements].join('\n'));
}

const withDensity = (trigger: string) =>
  trigger.replace(/'showTopBar', (NEW|OLD)\."showTopBar"/, `$&, 'density', $1."density"`);

/** Lists the files that differ from those of this project, without what is not committed. */
function changedFiles(folder: string): string[] {
  const files = globSync('{docs,packages,prisma,src,test}/**/*.*', {
    cwd: folder,
    exclude: (file) => NOT_COMMITTED.test(file),
  });
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  };
  const isFile = (file: string) => read(join(folder, file)) !== null;
  return files.filter((file) => isFile(file) && read(file) !== read(join(folder, file))).sort();
}

test('the recipe adds a field by ten files, and the field works in GraphQL, REST and the command line', {
  timeout: 300_000,
}, async () => {
  const folder = copyProject();
  const run = async (...args: string[]) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const child = promisify(execFile)(process.execPath, args, { cwd: folder, env });
    // compilers and tests print their errors to standard output, which the message of an error of `execFile` lacks
    return (await child.catch((error) => Promise.reject(new Error(`${error.message}\n${error.stdout}`)))).stdout;
  };
  const runPackage = (bin: string, ...args: string[]) => run(`node_modules/${bin}`, ...args);

  edit(join(folder, 'src/domain/embed/fields.ts'), (text) =>
    text.replace('\n} as const satisfies', `\n${FIELD}} as const satisfies`),
  );
  edit(join(folder, 'prisma/schema.prisma'), (text) =>
    text.replace(/^ {2}showTopBar .*\n/m, (line) => `${line}  ${COLUMN}\n`).concat('\n', ENUM),
  );
  await run('prisma/derive.ts');
  await Promise.all([run('prisma/generate.ts'), run('codegen.ts', '--sdl'), run('codegen.ts')]);
  const data = join(folder, 'data');
  mkdirSync(data);
  const [output] = await Promise.all([
    run('prisma/migration.ts', 'add_density').then(() => {
      replaceWebhookTriggers(folder);
      return run('test/contracts/added-field.ts', data);
    }),
    run('packages/client/codegen.ts'),
    runPackage('typescript/bin/tsc', '--project', 'tsconfig.src.json'),
    runPackage('typescript/bin/tsc', '--project', 'packages/console'),
  ]);
  edit(join(folder, 'docs/api/rest.md'), (text) =>
    text.replace(/"show_top_bar": ?(?:true|false)/g, '$&, "density": "comfortable"'),
  );
  edit(join(folder, 'test/contracts/schema.test.ts'), (text) =>
    text
      .replace(/enum EmbedMode \{.*\n/, '$&enum EmbedDensity { COMFORTABLE COMPACT }\n')
      .replace('showTopBar: Boolean!  title', 'showTopBar: Boolean!  density: EmbedDensity!  title')
      .replace('showTopBar: Boolean! = true', '$& density: EmbedDensity! = COMFORTABLE')
      .replaceAll(/font: String showTopBar: Boolean(?=\s)/g, '$& density: EmbedDensity')
      .replace('font: String  createdAfter', 'font: String  density: EmbedDensity  createdAfter'),
  );
  await runPackage('vitest/vitest.mjs', 'run', '--reporter=dot', '--project=sqlite', ...PATIENCE, ...TESTS);

  expect(changedFiles(folder)).toEqual([
    'docs/api/rest.md',
    'packages/client/src/generated/documents.ts',
    'packages/client/src/generated/rest.ts',
    expect.stringMatching(/^prisma\/migrations\/\d+_add_density\/migration.sql$/),
    expect.stringMatching(/^prisma\/postgresql\/migrations\/\d+_add_density\/migration.sql$/),
    'prisma/postgresql/schema.prisma',
    'prisma/schema.prisma',
    'src/domain/embed/fields.ts',
    'src/graphql/schema.graphql',
    'test/contracts/schema.test.ts',
  ]);
  const { withDefault, exported, ...results } = JSON.parse(output);
  expect(Object.keys(withDefault).at(-1)).toBe('density');
  expect(withDefault.density).toBe('comfortable');
  expect(results).toEqual({
    created: 'compact',
    reused: [{ path: 'Idempotency-Key', message: 'was used for a request with other parameters' }],
    rejected: [{ path: 'density', message: 'must be one of comfortable, compact' }],
    updated: 'compact',
    found: 2,
    events: ['COMPACT', 'COMFORTABLE'],
    createdByGraphQL: 'COMPACT',
    updatedByGraphQL: 'COMFORTABLE',
    foundByGraphQL: { nodes: [{ density: 'COMFORTABLE' }], totalCount: 1 },
    openApi: ['comfortable', 'compact'],
  });
  expect(exported[0]).toMatch(/^id,created_at,embed_url,page_id,page_url,mode,font,show_top_bar,(?:.*,)?density$/);
  expect(exported.slice(1).map((line: string) => line.split(',').at(-1))).toEqual([
    'compact',
    'compact',
    'comfortable',
  ]);
});
