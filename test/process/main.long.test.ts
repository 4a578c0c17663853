import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../open-app.ts';
import { startService } from './start-service.ts';

/** More than Node's default backlog of 511, and fewer than the usual limit of open files. */
const NEW_CONNECTIONS = 700;
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
const backlog = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 0;
const backlogTooSmall =
  backlog >= NEW_CONNECTIONS ? null : `skipped: ${SOMAXCONN} does not exist, or is below ${NEW_CONNECTIONS}`;
if (backlogTooSmall !== null) console.warn(`The check of many new connections is ${backlogTooSmall}.`);

test.skipIf(backlogTooSmall)(
  'queues more new connections than the default backlog of Node while it is busy',
  async () => {
    const { child, port } = await startService(await newDatabase(), { ACCESS_TOKEN: 'a token of my own' });
    child.kill('SIGSTOP');
    const sockets = Array.from({ length: NEW_CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // connections beyond the backlog would wait until the process continues
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    child.kill('SIGCONT');
    for (const socket of sockets) socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    const responses = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(responses.filter(([text]) => !text.startsWith('HTTP/1.1 200 OK\r\n'))).toEqual([]);
  },
);
