import '../node-version.ts';
import { Command, InvalidArgumentError } from 'commander';
import { writeMigration } from '../store/migrations.ts';
import { DurableSqlite } from '../store/sqlite.ts';

function parseName(text: string): string {
  if (/^[a-z0-9_]{1,60}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 60 lower-case letters, digits and underscores.');
}

const program = new Command('npm run migration --')
  .description('Writes the next migration: what leads from the existing ones to prisma/schema.prisma.')
  .argument('<name>', 'what it does, such as add_title_index', parseName)
  .action(async (name: string) => {
    const folder = await writeMigration(new DurableSqlite(':memory:'), name);
    console.log(folder ? `Wrote ${folder}: read it before you commit it.` : 'Nothing to do: the schema is unchanged.');
  });

await program.parseAsync();
