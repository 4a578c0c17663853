import { expect, onTestFinished, test, vi } from 'vitest';
import { newDatabase, openApp } from '../../open-app.ts';
import { articlePage, openSite } from '../../pages/site.ts';
import { statementsOf } from '../../store/embeds/statements-of.ts';
import { visit, visitWhenRead } from '../browser/visits.ts';

test('an open frame learns within a minute of a copy that another gateway stored, and other views cost no statement', async () => {
  const source = { html: articlePage('Bread', '<p>The first version.</p>') };
  const site = await openSite((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(source.html);
  });
  const databaseUrl = await newDatabase();
  const [first, second] = [
    await openApp({ allowPrivatePages: true, databaseUrl }),
    await openApp({ allowPrivatePages: true, databaseUrl }),
  ];
  const ada = await first.as('ada');
  const { id, embed_url } = await ada.create({ page_url: `${site.origin}/Bread-95747105f402490eba51d52e00496c1c` });
  const shown = await visitWhenRead(second, embed_url);
  expect(await shown.clone().text()).toContain('The first version.');
  source.html = articlePage('Bread', '<p>The second version.</p>');
  expect((await ada.rest('POST', `/v1/embeds/${id}/refresh`)).status).toBe(200);

  const condition = { 'if-none-match': shown.headers.get('etag') ?? '' };
  const ask = (headers = {}) => visit(second, embed_url, { headers });
  const askFromFrame = () => ask({ ...condition, 'cache-control': 'no-cache' });
  const later = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => later() + 15_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const readsOfPages = async (work: () => Promise<unknown>) =>
    (await statementsOf(async () => void (await work()))).filter((sql) => /\bPage\b/.test(sql));
  expect(await readsOfPages(async () => [await ask(), await ask(condition)])).toEqual([]);
  const answers: Response[] = [];
  const reads = await readsOfPages(async () => {
    for (let i = 0; i < 5; i++) answers.push(await askFromFrame());
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await answers[0]?.text()).toContain('The second version.');
  expect(reads).toHaveLength(1);
});
