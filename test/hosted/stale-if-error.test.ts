import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase, openApp } from '../open-app.ts';
import { articlePage, openSite } from '../pages/site.ts';

/** Damages a database as a failing disk does, so that its next read fails. */
function damage(file: string): void {
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  // the service drops what it has cached of the file
  other.exec(`UPDATE Account SET createdAt = createdAt`);
  other.pragma('wal_checkpoint(TRUNCATE)');
  const { size } = statSync(file);
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(size, 0xa5), 0, size, 0);
  closeSync(fd);
}

test('while a SQLite file cannot be read, rendered pages and their pictures are served, and nothing is logged as a bug', async () => {
  const picture = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
  const site = await openSite(({ url }, response) => {
    if (url === '/dot.gif') response.writeHead(200, { 'content-type': 'image/gif' }).end(picture);
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(articlePage('Bread', '<p>A dot: <img src="/dot.gif" alt="dot" width="300" height="300"></p>'));
  });
  const databaseUrl = await newDatabase();
  const { app, as, logged } = await openApp({ databaseUrl, allowPrivatePages: true, imageProxy: true });
  const ada = await as('ada');
  const [shown, unseen, deleted] = await Promise.all(
    ['a', 'b', 'c'].map((name) => ada.create({ page_url: `${site.origin}/${name}` })),
  );
  await ada.rest('PATCH', `/v1/embeds/${shown?.id}/settings`, { allowed_sites: ['example.com'] });
  const visit = (embed = shown, path?: string) => app.fetch(new Request(new URL(path ?? '', embed?.embed_url)));
  const visitFromOther = () => {
    const headers = { 'sec-fetch-dest': 'iframe', referer: 'https://other.example/' };
    return app.fetch(new Request(shown?.embed_url ?? '', { headers }));
  };
  for (const embed of [shown, deleted]) {
    await expect.poll(async () => (await visit(embed)).headers.get('cache-control')).toBe('no-cache');
  }
  const [pictureUrl] = /\/image\/[\w.-]+/.exec(await (await visit()).text()) ?? [];
  expect((await visit(shown, pictureUrl)).status).toBe(200);
  await ada.rest('DELETE', `/v1/embeds/${deleted?.id}`);

  damage(databaseUrl.slice('file:'.length));
  const statuses = await Promise.all([visit(), visit(shown, pictureUrl), visit(unseen), visit(deleted)]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 503, 503]);
  const { status, headers } = await visitFromOther();
  expect([status, headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual([200, 'no-store', null]);
  const lines = logged.filter((line) => !('message' in line && ['request', 'audit'].includes(`${line.message}`)));
  expect(lines).toEqual([expect.objectContaining({ message: expect.stringContaining('the database is damaged') })]);
});
