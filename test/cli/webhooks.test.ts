import { expect, test } from 'vitest';
import { newDatabase, openApp } from '../open-app.ts';
import { runInProcess } from './run-in-process.ts';

test('creates, lists, rotates, enables and deletes webhooks on the command line', async () => {
  const databaseUrl = await newDatabase();
  const { database, app, as } = await openApp({ databaseUrl });
  const ada = await as('ada');
  await ada.rest('GET', '/v1/webhooks');
  await app.close();
  await database.close();
  const run = (...args: readonly string[]) => runInProcess('webhooks', args, { DATABASE_URL: databaseUrl });

  const events = ['--events', 'embed.created,page.changed'];
  const created = await run('create', '--account', 'ada', '--url', 'https://example.com/hook', ...events);
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_[\w+/]+=\n$/) });
  const [, id = ''] = /Webhook (wh_\w+)\./.exec(created.stderr) ?? [];
  const listed = await run('list', '--account', 'ada');
  expect(listed.stdout).toContain(`${id}  good   https://example.com/hook  embed.created,page.changed`);
  expect((await run('list')).stdout).not.toContain(id);
  expect((await run('deliveries', id, '--account', 'ada')).stdout).toMatch(/^ID +CREATED/);
  const rotated = await run('rotate', id, '--account', 'ada');
  expect(rotated.stdout).toMatch(/^whsec_/);
  expect(rotated.stdout).not.toBe(created.stdout);
  expect((await run('enable', id, '--account', 'ada')).stdout).toBe(`Webhook ${id} is enabled.\n`);
  expect((await run('delete', id, '--account', 'ada')).stdout).toBe(`Webhook ${id} is deleted.\n`);
  const again = await run('delete', id, '--account', 'ada');
  expect(again).toMatchObject({ code: 1, stderr: 'There is no webhook with this id.\n' });
});

test('refuses a receiver inside the network and an unknown event', async () => {
  const run = async (url: string, events: string) =>
    runInProcess('webhooks', ['create', '--url', url, '--events', events], { DATABASE_URL: await newDatabase() });
  expect(await run('http://10.0.0.1/', 'embed.created')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be on a public host'),
  });
  expect(await run('https://example.com/', 'embed.moved')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be one or more of embed.created, '),
  });
});
