/**
 * Derives the model of PostgreSQL from `prisma/schema.prisma`, the only source.
 *
 *   node prisma/derive.ts           writes prisma/postgresql/schema.prisma
 *   node prisma/derive.ts --check   fails if the committed model is not current
 */
import { readFile, writeFile } from 'node:fs/promises';

const SOURCE_FILE = 'prisma/schema.prisma';
const DERIVED_FILE = 'prisma/postgresql/schema.prisma';

/** Replacements. Each `from` must occur exactly once in the source. */
const CHANGES: readonly (readonly [from: string, to: string])[] = [
  [
    '// The model of the database.',
    '// Written by ../derive.ts from ../schema.prisma. Edit that file instead.\n// The model of the database.',
  ],
  ['"../src/generated/prisma"', '"../../src/generated/postgresql"'],
  ['provider = "sqlite"', 'provider = "postgresql"'],
  [
    `
  /// The number of changes to the embeds. Triggers update it. Only on SQLite: it is the number of the last change.
  changeCount BigInt   @default(0)`,
    '',
  ],
  [
    `  /// The row number in the full-text index, in the order of the ids. The statement that inserts the embed computes it.
  position   Int       @id @default(autoincrement())
  id         String    @unique
`,
    `  id         String    @id
  /// A number that PostgreSQL computes from the id. It sorts like the id, but embeds of one millisecond may share it.
  rank       BigInt    @default(dbgenerated())
`,
  ],
  [
    `  /// The list of an account. The full-text index has the other lists (see the migration \`word_index\`).
  @@index([accountId])
`,
    '  /// Indexes of expressions have all lists (see the migration `hashed_lists`).\n',
  ],
];

let derived = await readFile(SOURCE_FILE, 'utf8');
for (const [from, to] of CHANGES) {
  const parts = derived.split(from);
  if (parts.length !== 2) throw new Error(`${SOURCE_FILE} must have ${from} exactly once.`);
  derived = parts.join(to);
}

if (process.argv.includes('--check')) {
  if ((await readFile(DERIVED_FILE, 'utf8').catch(() => '')) !== derived) {
    console.error(`${DERIVED_FILE} is not current: run npm run generate and commit it.`);
    process.exitCode = 1;
  }
} else {
  await writeFile(DERIVED_FILE, derived);
}
