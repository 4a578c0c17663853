import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingFile, newDatabase, openApp } from '../open-app.ts';
import { openSite } from '../pages/site.ts';
import { openReceiver } from '../webhooks/receiver.ts';
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
  const noAccount = { code: 2, stdout: '', stderr: 'There is no account bob.\n' };
  expect(await run('list', '--account', 'bob')).toEqual(noAccount);
  expect(await run('create', '--account', 'bob', '--url', 'https://example.com/', ...events)).toEqual(noAccount);
  const noWebhook = { code: 1, stdout: '', stderr: 'There is no webhook with this id.\n' };
  expect(await run('deliveries', 'wh_x', '--account', 'ada')).toEqual(noWebhook);
  expect((await run('deliveries', id, '--account', 'ada')).stdout).toMatch(/^ID +CREATED/);
  const rotated = await run('rotate', id, '--account', 'ada');
  expect(rotated.stdout).toMatch(/^whsec_/);
  expect(rotated.stdout).not.toBe(created.stdout);
  expect((await run('enable', id, '--account', 'ada')).stdout).toBe(`Webhook ${id} is enabled.\n`);
  expect((await run('delete', id, '--account', 'ada')).stdout).toBe(`Webhook ${id} is deleted.\n`);
  const again = await run('delete', id, '--account', 'ada');
  expect(again).toMatchObject({ code: 1, stderr: 'There is no webhook with this id.\n' });
});

test('lets a running service send tests and repetitions, and changes and disables webhooks', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl, allowPrivatePages: true });
  const ada = await as('ada');
  const receiver = await openReceiver();
  const variables = { DATABASE_URL: databaseUrl, ALLOW_PRIVATE_PAGES: 'true' };
  const run = (name: string, ...args: readonly string[]) =>
    runInProcess('webhooks', [name, ...args, '--account', 'ada'], variables);
  const wish = { url: `${receiver.origin}/old`, events: ['embed.deleted'] };
  const { id } = (await ada.rest('POST', '/v1/webhooks', wish)).body.webhook;

  const tested = await run('test', id, '--json');
  const { delivery: waiting } = JSON.parse(tested.stdout);
  const { id: delivery } = waiting;
  const listed = async () => (await ada.rest('GET', `/v1/webhooks/${id}/deliveries`)).body.deliveries;
  await expect.poll(listed).toMatchObject([{ id: delivery, type: 'webhook.test', state: 'delivered', attempts: 1 }]);
  const [done] = await listed();
  expect(waiting).toEqual({
    ...{ ...done, state: 'waiting', attempts: 0, due_at: waiting.created_at, created_at: expect.stringMatching(/Z$/) },
    ...{ attempted_at: null, delivered_at: null, status: null, response: null },
  });
  expect(await run('redeliver', delivery)).toMatchObject({
    code: 0,
    stdout: `Delivery ${delivery} waits. A running service sends it within seconds: deliveries shows the result.\n`,
  });
  await expect.poll(listed).toMatchObject([{ id: delivery, state: 'delivered', attempts: 2 }]);
  expect(receiver.messages.map((message) => message.id)).toEqual([delivery, delivery]);

  const updated = await run('update', id, '--url', `${receiver.origin}/new`, '--events', 'embed.created');
  expect(updated.stdout).toBe(`Webhook ${id} is updated.\n`);
  await ada.create();
  const [, , event] = await receiver.take(3);
  expect([event?.path, event?.body.type]).toEqual(['/new', 'embed.created']);

  expect((await run('disable', id)).stdout).toBe(`Webhook ${id} is disabled.\n`);
  expect((await ada.rest('GET', '/v1/webhooks')).body.webhooks[0].disabled_at).toMatch(/Z$/);
  const isDisabled = { code: 2, stderr: expect.stringContaining(`The webhook ${id} is disabled. Enable it first.`) };
  expect(await run('test', id)).toMatchObject(isDisabled);
  expect(await run('redeliver', delivery)).toMatchObject(isDisabled);
  expect((await run('test', 'wh_x')).stderr).toBe('There is no webhook with this id.\n');
  expect((await run('redeliver', '0'.repeat(32))).stderr).toBe('There is no delivery with this id.\n');
  expect(await run('redeliver', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('id of a delivery') });
  expect(await run('update', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--url, --events or both'),
  });
});

test('prints webhooks and deliveries as REST does', async () => {
  const databaseUrl = await newDatabase();
  const { as } = await openApp({ databaseUrl, allowPrivatePages: true });
  const ada = await as('ada');
  const receiver = await openSite((_, response) => {
    response.writeHead(500).end(`no\u001b[31m\nroom ${'x'.repeat(100)}`);
  });
  const environment = { DATABASE_URL: databaseUrl, ALLOW_PRIVATE_PAGES: 'true' };
  const text = async (...args: readonly string[]) =>
    (await runInProcess('webhooks', [...args, '--account', 'ada'], environment)).stdout;
  const json = async (...args: readonly string[]) => JSON.parse(await text(...args, '--json'));
  const listed = async () => (await ada.rest('GET', '/v1/webhooks')).body.webhooks;

  const created = await json('create', '--url', `${receiver.origin}/`, '--events', 'embed.created');
  expect(created).toEqual({ webhook: (await listed())[0], secret: expect.stringMatching(/^whsec_/) });
  const { id } = created.webhook;
  const rotated = await json('rotate', id);
  expect(rotated).toEqual({ webhook: created.webhook, secret: expect.stringMatching(/^whsec_/) });
  await ada.rest('POST', `/v1/webhooks/${id}/test`);
  const { deliveries } = (await ada.rest('GET', `/v1/webhooks/${id}/deliveries`)).body;
  expect(await json('deliveries', id)).toEqual({ deliveries });
  expect(deliveries).toMatchObject([{ attempts: 1, status: 500, due_at: null }]);
  const [head = '', row = ''] = (await text('deliveries', id)).split('\n');
  expect(head.slice(-16)).toBe('STATUS  RESPONSE');
  expect(row.slice(head.indexOf('STATUS'))).toBe(`500     no [31m room ${'x'.repeat(47)}…`);

  expect(await json('update', id, '--events', 'embed.deleted')).toEqual({ webhook: (await listed())[0] });
  expect(await json('disable', id)).toEqual({ webhook: (await listed())[0] });
  expect(await text('list', '--json')).toBe(`${JSON.stringify({ webhooks: await listed() })}\n`);
  expect((await listed())[0].disabled_at).toMatch(/Z$/);
  expect(await json('enable', id)).toEqual({ webhook: (await listed())[0] });
});

test('prints all faults of the options, and writes nothing', async () => {
  const environment = { DATABASE_URL: missingFile() };
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runInProcess('webhooks', args, environment);
    return [code, stdout, stderr.trim().split('\n')];
  };
  const events = expect.stringMatching(/^--events must be a list of one or more of embed\.created, /);
  const url = expect.stringMatching(/^--url must be on a public host/);
  const faulty = ['--url', 'http://10.0.0.1/', '--events', 'embed.created,foo'];
  expect(await run('create', ...faulty)).toEqual([2, '', [url, events]]);
  expect(await run('update', 'wh_x', ...faulty)).toEqual([2, '', [url, events]]);
  expect(await run('create')).toEqual([2, '', ['--url is required', '--events is required']]);
  expect(existsSync(environment.DATABASE_URL.slice(5))).toBe(false);
});

test('accepts events in one option or in several', async () => {
  const databaseUrl = await newDatabase();
  await (await openApp({ databaseUrl })).as('ada');
  const run = (...args: readonly string[]) =>
    runInProcess('webhooks', [...args, '--account', 'ada'], { DATABASE_URL: databaseUrl });
  const events = ['embed.updated,embed.created', 'embed.created', 'token.revoked embed.deleted'];
  await run('create', '--url', 'https://example.com/', ...events.flatMap((each) => ['--events', each]));
  expect((await run('list')).stdout).toContain('embed.created,embed.updated,embed.deleted,token.revoked');
});
