import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../open-app.ts';

/** The example field of the recipe in CONTRIBUTING.md. */
const FIELD = `
  density: {
    type: 'enum',
    restName: 'density',
    description: 'The space between lines.',
    inputs: { create: true, update: true, filter: 'Only embeds with this density.' },
    default: 'COMFORTABLE',
    enumName: 'EmbedDensity',
    values: { COMFORTABLE: 'Much space.', COMPACT: 'Little space.' },
    label: 'density',
  },
`;
const COLUMN = '  density    EmbedDensity @default(COMFORTABLE)\n';
const ENUM = '\nenum EmbedDensity {\n  COMFORTABLE\n  COMPACT\n}\n';

const COPIED = [
  'bin',
  'packages',
  'src',
  'prisma',
  'test/databases',
  'test/free-port.ts',
  'test/own-packages.ts',
  'test/contracts/added-field.ts',
  'package.json',
];
const COPIED_CONFIGURATION = ['codegen.ts', 'tsconfig.json'];

/** Copies the project without generated code. Packages are shared. */
function copyProject(): string {
  const folder = temporaryFolder();
  for (const path of [...COPIED, ...COPIED_CONFIGURATION]) {
    const filter = (source: string) => !/(?<!client\/)src\/generated$|node_modules$/.test(source);
    cpSync(path, join(folder, path), { recursive: true, filter });
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

/** Lists the files that differ from those of this project, without generated code. */
function changedFiles(folder: string): string[] {
  const files = globSync('{src,prisma,test}/**/*.*', { cwd: folder }).filter((file) => !/^src\/generated\//.test(file));
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

test('a new field changes six files, and works in GraphQL, REST and the command line', {
  timeout: 180_000,
}, async () => {
  const folder = copyProject();
  const run = async (...args: string[]) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const child = promisify(execFile)(process.execPath, args, { cwd: folder, env });
    // The compiler prints its errors to standard output, which the message of an error of `execFile` lacks
    return (await child.catch((error) => Promise.reject(new Error(`${error.message}\n${error.stdout}`)))).stdout;
  };
  const runPackage = (bin: string, ...args: string[]) => run(`node_modules/${bin}`, ...args);

  edit(join(folder, 'src/domain/embed/fields.ts'), (text) =>
    text.replace('\n} as const satisfies', `${FIELD}} as const satisfies`),
  );
  edit(join(folder, 'prisma/schema.prisma'), (text) =>
    text.replace(/^ {2}showTopBar .*\n/m, (line) => line + COLUMN).concat(ENUM),
  );
  await run('prisma/derive.ts');
  await Promise.all([run('prisma/generate.ts'), run('codegen.ts', '--sdl'), run('codegen.ts')]);
  const data = join(folder, 'data');
  mkdirSync(data);
  const [output] = await Promise.all([
    run('prisma/migration.ts', 'add_density').then(() => run('test/contracts/added-field.ts', data)),
    runPackage('typescript/bin/tsc', '--project', 'tsconfig.src.json'),
    runPackage('typescript/bin/tsc', '--project', 'packages/console'),
  ]);

  expect(changedFiles(folder)).toEqual([
    expect.stringMatching(/^prisma\/migrations\/\d+_add_density\/migration.sql$/),
    expect.stringMatching(/^prisma\/postgresql\/migrations\/\d+_add_density\/migration.sql$/),
    'prisma/postgresql/schema.prisma',
    'prisma/schema.prisma',
    'src/domain/embed/fields.ts',
    'src/graphql/schema.graphql',
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
    createdByGraphQL: 'COMPACT',
    updatedByGraphQL: 'COMFORTABLE',
    foundByGraphQL: { nodes: [{ density: 'COMFORTABLE' }], totalCount: 1 },
    openApi: ['comfortable', 'compact'],
  });
  expect(exported[0]).toBe('id,created_at,embed_url,page_id,page_url,mode,font,show_top_bar,density');
  expect(exported.slice(1).map((line: string) => line.split(',').at(-1))).toEqual([
    'compact',
    'compact',
    'comfortable',
  ]);
});
