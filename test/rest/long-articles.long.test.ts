import { expect, test } from 'vitest';
import { openApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

/** Markdown has a sign for each cell, and all rows have as many cells as the longest. */
const tableOf = (columns: number, rows: number) =>
  `<h2>Soup</h2><p>Leek.</p><h2>Table</h2><table><tr>${'<td>x</td>'.repeat(columns)}</tr>${'<tr><td>y</td></tr>'.repeat(rows)}</table>`;

async function openTable(columns: number, rows: number) {
  const site = await openSite((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(articlePage('Meals', tableOf(columns, rows))),
  );
  const ada = await (await openApp({ allowPrivatePages: true })).as('ada');
  const { id } = await ada.create({ page_url: `${site.origin}/Meals-95747105f402490eba51d52e00496c1c` });
  await ada.rest('POST', `/v1/embeds/${id}/refresh`);
  // a refresh waits for at most 5 s, which is too short on a busy machine
  const stateOf = async () => (await ada.rest('GET', `/v1/embeds/${id}/page`)).body.page.state;
  await expect.poll(stateOf).toBe('shown');
  const readArticle = (fields: string) =>
    ada.graphql(`query ($id: ID!) { embed(id: $id) { page { article { ${fields} } } } }`, { id });
  return { ada, id, readArticle };
}

test('an article whose conversion takes too much is refused with a reason, and its parts are not', async () => {
  const { ada, id, readArticle } = await openTable(2_000, 2_000);
  const read = (accept: string) =>
    ada.fetch(`/v1/embeds/${id}/article`, { headers: { accept, authorization: ada.authorization } });
  expect((await read('text/html')).status).toBe(200);
  const refused = await read('text/markdown');
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({ detail: expect.stringContaining('too long to be converted at once') }),
  ]);
  const { data } = await readArticle('part(anchor: "soup") { markdown }');
  expect(data.embed.page.article.part.markdown).toBe('## Soup\n\nLeek.\n');
});

test('a form that is larger than its article counts by its own size', async () => {
  const { readArticle } = await openTable(1_000, 300);
  expect((await readArticle('markdown')).data.embed.page.article.markdown.length).toBeGreaterThan(600_000);
  const { errors } = await readArticle(Array.from({ length: 30 }, (_, i) => `m${i}: markdown`).join(' '));
  expect(errors[0]?.message).toContain('must not take more than 16 MB in one request');
});
