import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createLocalPictures } from '../../packages/frame/src/render/local-pictures.ts';
import type { Embed } from '../../src/domain/embed/embed.ts';
import { createRenderedPageCache } from '../../src/doors/hosted/rendered-page-cache.ts';
import { createPhases } from '../../src/graphql/execution/yoga.ts';
import { createRepresentation } from '../../src/http/representation.ts';
import { NO_RULES } from '../hosted/rules.ts';
import { ARTICLE } from '../programs/bench/data/article.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MAX_BYTES = 3_000_000;
/** The memory of compiled functions and other garbage of the test itself. */
const TOLERANCE_BYTES = 1_500_000;
const LONG_ARTICLE = ARTICLE.content?.repeat(8);

function measureMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Caches twice as many pages as there is room for, in all codings. Their text is not Latin-1. */
async function renderPages(maxBytes: number) {
  const cache = createRenderedPageCache(() => new Date(), maxBytes);
  for (let bytes = 0, i = 0; bytes < maxBytes; i++) {
    const picture = `<img src="https://example.com/picture-of-the-larder-${i}.png" alt="A larder …">`;
    const { article, pictures } = createLocalPictures({ ...ARTICLE, content: `${picture}${LONG_ARTICLE}` });
    const representation = createRepresentation(`<!doctype html>${article.content}`, {});
    bytes += representation.byteLength;
    for (const coding of ['br', 'gzip', 'identity']) {
      await representation.reply(new Request('http://localhost', { headers: { 'accept-encoding': coding } }));
    }
    const page = { path: '/', representation, pictures, formerPictures: pictures, ...NO_RULES, lookedUpAtMs: 0 };
    cache.set({ id: String(i), version: 1 } as Embed, { freshUntil: new Date(Date.now() + 60_000) }, page);
  }
  return cache;
}

/** Checks documents with another name each, several times as many as are kept. */
async function checkDocuments(maxBytes: number) {
  const phases = createPhases({ introspection: true }, maxBytes);
  const fields = 'totalCount '.repeat(20);
  for (let i = 0; i < maxBytes / 4_000; i++) {
    phases.check(phases.begin({}), `query Operation${i} { embeds { ${fields}} }`);
  }
  return phases;
}

test.each([
  ['rendered pages', renderPages],
  ['checked documents', checkDocuments],
])('%s take no more memory than their bound', async (_, fill) => {
  // loads the code
  await fill(200_000);
  const before = measureMemory();
  const cache = await fill(MAX_BYTES);
  await expect.poll(() => measureMemory() - before).toBeLessThan(MAX_BYTES + TOLERANCE_BYTES);
  expect(cache).toBeDefined();
});
