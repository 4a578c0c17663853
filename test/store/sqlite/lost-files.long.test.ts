import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../free-port.ts';
import { MEAL_PLANNER, newDatabase, openApp } from '../../open-app.ts';
import { run } from '../../process/run.ts';

test('writes and checkpoints of this process and of others do not cause rejections', async () => {
  const databaseUrl = await newDatabase();
  const { app, as } = await openApp({ databaseUrl });
  const ada = await as('ada');
  const create = () => ada.rest('POST', '/v1/embeds', { page_url: MEAL_PLANNER });
  const ready = () => app.fetch(new Request('http://localhost:4000/readyz'));
  const writes = `
    import BetterSqlite3 from 'better-sqlite3';
    const raw = new BetterSqlite3(process.argv[1], { timeout: 10_000 });
    raw.pragma('wal_autocheckpoint = 2');
    console.log('started');
    for (let i = 0; i < 400; i++) {
      raw.prepare('INSERT INTO Page (pageUrl, freshUntil, bytes, article) VALUES (?, ?, 0, zeroblob(9000))').run('x' + i, '2026-01-01');
      if (i % 20 === 0) raw.pragma('wal_checkpoint(TRUNCATE)');
    }
    raw.close();`;
  const other = run('--input-type=module', ['-e', writes, databaseUrl.slice('file:'.length)], {});
  await other.waitForOutput('started');
  let isOver = false;
  const ended = other.ended.finally(() => {
    isOver = true;
  });
  const statuses = new Set<number>();
  while (!isOver) {
    const { status, body } = await create();
    // the other process may hold the lock for longer than the timeout
    if (body.detail !== 'The database is busy; try again.') statuses.add(status);
    statuses.add((await ready()).status === 200 ? 201 : 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ended).toBe(0);
  expect([...statuses]).toEqual([201]);
});

test('a service that was killed after its log was deleted has all acknowledged embeds at the next start', async () => {
  const file = (await newDatabase()).slice('file:'.length);
  const port = await findFreePort();
  const token = 'a token of my own';
  const service = run('src/main.ts', [], {
    PORT: String(port),
    DATABASE_URL: `file:${file}`,
    ACCESS_TOKEN: token,
    RATE_LIMIT: '0',
  });
  await service.waitForOutput('"msg":"ready"');
  const create = async () => {
    const body = new URLSearchParams({ page_url: MEAL_PLANNER });
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}/v1/embeds`, { method: 'POST', headers, body });
    const reply = (await response.json()) as { embed?: { id: string } };
    return response.status === 201 ? reply.embed?.id : null;
  };
  const acknowledged = new Set<unknown>();
  const clients = Array.from({ length: 8 }, async () => {
    for (let id = await create(); id !== null; id = await create()) acknowledged.add(id);
  });
  await expect.poll(() => acknowledged.size).toBeGreaterThan(50);
  rmSync(`${file}-wal`);
  await Promise.all(clients);
  service.child.kill('SIGKILL');
  await service.ended;
  const raw = new BetterSqlite3(file);
  onTestFinished(() => void raw.close());
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
  const kept = new Set(raw.prepare('SELECT id FROM Embed').pluck().all());
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
});

test('a disk that rejects writes causes 503 for writes, while reads continue', async () => {
  const port = await findFreePort();
  const databaseUrl = await newDatabase();
  // a limit on the size of files, 250 or 500 kB, acts like a full disk and needs no root
  const service = spawn('sh', ['-c', 'ulimit -f 500; exec "$0" src/main.ts', process.execPath], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      ACCESS_TOKEN: 'a token of my own',
      RATE_LIMIT: '0',
    },
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  let output = '';
  service.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await expect.poll(() => output).toContain('"msg":"ready"');

  const origin = `http://127.0.0.1:${port}`;
  const headers = { authorization: 'Bearer a token of my own' };
  const create = () =>
    fetch(`${origin}/v1/embeds`, { method: 'POST', headers, body: new URLSearchParams({ page_url: MEAL_PLANNER }) });
  let created = 0;
  let response = await create();
  for (; response.status === 201 && created < 500; response = await create()) created++;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'unavailable' });

  const list = await fetch(`${origin}/v1/embeds`, { headers });
  expect(((await list.json()) as { total_count: number }).total_count).toBe(created);
  // there may be room for smaller writes for a while
  const isReady = async () => (await create()) && (await fetch(`${origin}/readyz`)).status;
  await expect.poll(isReady).toBe(503);
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  await expect.poll(() => output.match(/the disk fails or cannot be written/g)).toHaveLength(1);
  expect(service.exitCode).toBeNull();
});
