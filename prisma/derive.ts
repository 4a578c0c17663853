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
    '// One model is the source',
    '// Written by ../derive.ts from ../schema.prisma: change that.\n// One model is the source',
  ],
  ['"../src/generated/prisma"', '"../../src/generated/postgresql"'],
  ['provider = "sqlite"', 'provider = "postgresql"'],
  [
    `
  /// Changes to the embeds, counted by triggers. Only SQLite has it: a process finds the changes of others by it.
  changeCount BigInt   @default(0)`,
    '',
  ],
  [
    `  /// The row number in the search index, in the order of the ids. The statement that inserts the embed chooses it.
  position   Int       @id @default(autoincrement())
  id         String    @unique
`,
    `  id         String    @id
  /// Computed from the id, in the order of the ids. Embeds of one millisecond may share it.
  rank       BigInt    @default(dbgenerated())
`,
  ],
  [
    `  /// Pages of an account's list, in either direction. The search index has the other lists (see \`word_index\`).
  @@index([accountId])
`,
    '  /// Indexes of expressions have the lists (see `hashed_lists`).\n',
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
