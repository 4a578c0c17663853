import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const MAX_LINES_PER_FUNCTION = 130;
const MAX_FILES_PER_FOLDER = 15;

const PRODUCTS = ['console', 'fetcher', 'frame', 'reader', 'reference'].map((name) => `packages/${name}/src`);
const SOURCES = globSync(`{src,${PRODUCTS}}/**/*.{ts,tsx}`).filter((file) => !file.includes('src/generated/'));

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Returns a node and all nodes within it. */
function nodesOf(node: Node): Node[] {
  return [node, ...Object.values(node).flat().filter(isNode).flatMap(nodesOf)];
}

test(`no function has more than ${MAX_LINES_PER_FUNCTION} lines`, () => {
  const long = SOURCES.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    if (text.split('\n').length <= MAX_LINES_PER_FUNCTION) return [];
    const functions = nodesOf(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })).filter(({ type }) =>
      /^(?:Arrow)?Function(?:Declaration|Expression)?$/.test(type),
    );
    const lines = functions.map(({ start, end }) => text.slice(start, end).split('\n').length);
    return lines.filter((count) => count > MAX_LINES_PER_FUNCTION).map((count) => `${file}: ${count}`);
  });
  expect(long).toEqual([]);
});

test('a folder of tests has at most 15 files', () => {
  const tests = globSync('{test,packages/*/test}/**/*.*').filter((file) => !/node_modules|generated/.test(file));
  const folders = Map.groupBy(tests, (file) => dirname(file));
  const crowded = [...folders].filter(([, files]) => files.length > MAX_FILES_PER_FOLDER).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});
