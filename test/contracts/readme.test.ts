import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { REFUSAL_CODES } from '../../src/errors.ts';
import { PROBLEMS } from '../../src/http/problem.ts';
import { runHere } from '../cli/run-here.ts';
import { type Client, MEAL_PLANNER, openApp, temporaryFolder } from '../open-app.ts';

const readme = readFileSync('README.md', 'utf8');
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts;

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

/** The rows of the table that follows a heading, a list of cells each, without the code marks. */
function rowsUnder(heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** What differs from run to run, made the same. */
function steady(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"request_id":"[^"]+"/g, '"request_id":"<request id>"');
  return JSON.parse(text);
}

/** The words of a shell command: quotes joined, line continuations undone. */
function words(command: string): string[] {
  const tokens = command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g);
  return [...tokens].map(([, single, double, bare]) => single ?? double ?? bare ?? '');
}

async function runCurl(client: Client, command: string): Promise<Response> {
  const [curl, url = '', ...rest] = words(command).filter((word) => word !== '-N');
  expect(curl).toBe('curl');
  const headers = new Headers();
  const data: string[] = [];
  for (let i = 0; i < rest.length; i += 2) {
    const value = rest[i + 1] ?? '';
    if (rest[i] === '-d') data.push(value);
    else if (rest[i] === '-H' && !value.startsWith('Authorization:'))
      headers.set(...(value.split(': ') as [string, string]));
    else expect(value).toBe('Authorization: Bearer $TOKEN');
  }
  if (data.length > 0 && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded');
  const init = data.length > 0 ? { method: 'POST', body: data.join('&'), headers } : { headers };
  return client.fetch(url, init);
}

test('the examples do what the README shows', async () => {
  const ada = await (await openApp()).as('ada');
  let examples = 0;
  for (const [i, { language, text }] of blocks.entries()) {
    const shown = blocks[i + 1];
    if (shown?.language !== 'json' || text.startsWith('npm ')) continue;
    const answer =
      language === 'graphql'
        ? await (
            await ada.fetch('/graphql', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ query: text }),
            })
          ).json()
        : await (await runCurl(ada, text)).json();
    expect(steady(answer)).toEqual(steady(JSON.parse(shown.text)));
    examples += 1;
  }
  expect(examples).toBeGreaterThanOrEqual(6);
});

test('an import and an export do what the README shows', async () => {
  const at = blocks.findIndex(({ language }) => language === 'csv');
  const [csv, importing, told, exporting, exported] = blocks.slice(at).map(({ text }) => text);
  const folder = temporaryFolder();
  const databaseUrl = `file:${join(folder, 'embeds.db')}`;
  // the first start made the account
  await (await openApp({ databaseUrl })).as('default');
  writeFileSync(join(folder, 'pages.csv'), csv ?? '');
  const execute = async (line = '') => {
    const [, args = ''] = line.split(' embeds -- ');
    const paths = words(args).map((word) => (word.endsWith('.csv') ? join(folder, word) : word));
    return runHere('src/cli/embeds.ts', paths, { DATABASE_URL: databaseUrl });
  };
  const imported = await execute(importing);
  expect(imported.stderr + imported.stdout).toBe(told);
  expect(readFileSync(join(folder, 'refused.csv'), 'utf8')).toContain('http://localhost/Drafts,pink');
  const linesOf = (text = '') =>
    text
      .trim()
      .split('\n')
      .map((line) => steady(JSON.parse(line)));
  expect(linesOf((await execute(exporting)).stdout)).toEqual(linesOf(exported));
});

test('the stream that it shows comes of the command that it shows', async () => {
  const ada = await (await openApp()).as('ada');
  const shown = blocks.findIndex(({ text }) => text.startsWith('curl -N '));
  const response = await runCurl(ada, blocks[shown]?.text ?? '');
  await ada.create();
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes('data:')) break;
  }
  const event = /^event: next\ndata: (.*)$/m;
  const parse = (stream = '') => steady(JSON.parse(event.exec(stream)?.[1] ?? ''));
  expect(parse(text)).toEqual(parse(blocks[shown + 1]?.text));
});

test('the commands that it names exist', () => {
  const named = [...readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  // exec: a signal to npm reaches the service, not a shell that would leave it behind
  expect(scripts.start).toBe('exec node src/main.ts');
});

test('the variables that it lists are the ones that are read, with their defaults', () => {
  const read = new Set<string>();
  const nothingSet = new Proxy<Record<string, string>>({}, { get: (_target, name) => void read.add(String(name)) });
  const defaults = readConfig(nothingSet);
  const rows = rowsUnder('Configuration');
  // OpenTelemetry's own variables are documented where they come from
  expect(rows.map(([name]) => name).sort()).toEqual([...read].filter((name) => !name.startsWith('OTEL_')).sort());
  const shown = rows.map(([name = '', value = '']) => [name, value.replace('PORT', '4000')]);
  // an embed host that is set serves alone
  expect(readConfig(Object.fromEntries(shown))).toEqual({ ...defaults, embedHostAlias: null });
});

test('the error codes that it lists are the ones that are sent, with their statuses', () => {
  const rows = rowsUnder('Errors');
  const listed = Object.fromEntries(rows.map(([code = '', status = '']) => [code, Number(status)]));
  expect(listed).toEqual(Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])));
  for (const code of REFUSAL_CODES) expect(Object.keys(listed)).toContain(code);
});

test('the floor plan names every room and every file', () => {
  const plan = blocks.find(({ text }) => text.startsWith('prisma/'))?.text ?? '';
  const missing: string[] = [];
  for (const entry of readdirSync('src', { withFileTypes: true })) {
    if (!plan.includes(`  ${entry.name}${entry.isDirectory() ? '/' : ''} `)) missing.push(entry.name);
    if (!entry.isDirectory() || entry.name === 'generated') continue;
    const files = readdirSync(`src/${entry.name}`);
    if (entry.name === 'console')
      files.push(...readdirSync('src/console/client').filter((file) => /\.tsx?$/.test(file)));
    for (const file of files) {
      const name = file.replace(/\.(tsx?|js)$/, '');
      if (file !== 'schema.graphql' && !new RegExp(`\\b${name}\\b`).test(plan)) missing.push(`${entry.name}/${file}`);
    }
  }
  expect(missing).toEqual([]);
});

test('the first start shows the lines that it promises', () => {
  const shown = blocks.find(({ text }) => text.includes('opening the database'))?.text ?? '';
  const gateway = readFileSync('src/gateway.ts', 'utf8');
  for (const line of [
    'opening the database',
    'applied a migration',
    'This is your access token. It is shown only now; keep it:',
    'Create your first embed with it:',
    'Or sign in with it in a browser: ',
  ]) {
    expect(shown).toContain(line);
    expect(gateway).toContain(line);
  }
  expect(shown).toContain(MEAL_PLANNER);
  for (const migration of readdirSync('prisma/migrations')) {
    if (!migration.endsWith('.toml')) expect(shown).toContain(migration);
  }
});
