import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/config/environment.ts';
import { readConfig } from '../../src/config.ts';

test('returns the documented defaults for an empty environment', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    host: '127.0.0.1',
    databaseUrl: `file:${resolve('data/embeds.db')}`,
    databasePool: 10,
    durability: 'full',
    embedHost: 'embeds.localhost:4000',
    embedHostAlias: 'localhost:4000',
    embedScheme: null,
    accessToken: null,
    allowPrivatePages: false,
    renderer: 'auto',
    rendererSandbox: true,
    corsOrigins: '*',
    rateLimit: 6000,
    trustProxy: [],
    stopDelayS: 0,
    logLevel: 'info',
    console: true,
    graphiql: true,
    mcp: true,
    oidc: null,
    introspection: true,
    metricsToken: null,
    traces: false,
    trustedDocuments: null,
    robots: 'respect',
    imageProxy: false,
    views: true,
    fontCssUrl: 'https://fonts.bunny.net/css2?family={family}&display=swap',
    staleIfErrorS: 600,
    purgeTargets: [],
  });
});

test('reads every variable', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '0.0.0.0',
    DATABASE_URL: 'file:/var/lib/embeds.db',
    DATABASE_POOL: '20',
    DURABILITY: 'fast',
    EMBED_HOST: 'Embeds.Example.com',
    EMBED_SCHEME: 'http',
    ACCESS_TOKEN: 'sixteen chars ok',
    ALLOW_PRIVATE_PAGES: 'true',
    RENDERER: process.execPath,
    RENDERER_SANDBOX: 'false',
    ROBOTS: 'named',
    IMAGE_PROXY: 'true',
    CORS_ORIGIN: 'https://a.example, https://b.example:8443',
    RATE_LIMIT: '0',
    TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8',
    STOP_DELAY: '15',
    LOG_LEVEL: 'warn',
    CONSOLE: 'false',
    GRAPHIQL: 'false',
    INTROSPECTION: 'false',
    FONT_CSS_URL: 'none',
    STALE_IF_ERROR: '0',
    PURGE_URL: 'http://127.0.0.1:6081/purge',
    PURGE_HEADER: 'Authorization:  Bearer of a purge ',
  });
  expect(config).toMatchObject({
    port: 8080,
    host: '0.0.0.0',
    databaseUrl: 'file:/var/lib/embeds.db',
    databasePool: 20,
    durability: 'fast',
    embedHost: 'embeds.example.com',
    embedHostAlias: null,
    embedScheme: 'http',
    accessToken: 'sixteen chars ok',
    allowPrivatePages: true,
    renderer: process.execPath,
    rendererSandbox: false,
    robots: 'named',
    imageProxy: true,
    corsOrigins: ['https://a.example', 'https://b.example:8443'],
    rateLimit: 0,
    trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    stopDelayS: 15,
    logLevel: 'warn',
    console: false,
    graphiql: false,
    introspection: false,
    fontCssUrl: null,
    staleIfErrorS: 0,
    purgeTargets: [
      { url: 'http://127.0.0.1:6081/purge', header: { name: 'Authorization', value: 'Bearer of a purge' } },
    ],
  });
  expect(readConfig({ PORT: '5000' })).toMatchObject({
    embedHost: 'embeds.localhost:5000',
    embedHostAlias: 'localhost:5000',
  });
  expect(readConfig({ DATABASE_URL: 'file:///tmp/x.db' }).databaseUrl).toBe('file:/tmp/x.db');
});

test('reports all faults at once, without the token', () => {
  const environment = {
    PORT: '0',
    HOST: 'a b',
    DATABASE_URL: 'mysql://x',
    DATABASE_POOL: '0',
    DURABILITY: 'always',
    EMBED_HOST: 'https://embeds.example.com/',
    EMBED_SCHEME: 'ftp',
    ACCESS_TOKEN: 'short',
    ALLOW_PRIVATE_PAGES: 'yes',
    RENDERER: 'chromium',
    RENDERER_SANDBOX: 'no',
    ROBOTS: 'ignore',
    IMAGE_PROXY: 'on',
    CORS_ORIGIN: 'example.com/path',
    RATE_LIMIT: '-1',
    TRUST_PROXY: 'nginx',
    LOG_LEVEL: 'loud',
    CONSOLE: 'off',
    GRAPHIQL: '1',
    INTROSPECTION: 'no',
    FONT_CSS_URL: 'http://fonts.example/css',
    STALE_IF_ERROR: '86401',
    PURGE_URL: 'https://purge.example/{id}',
    PURGE_HEADER: 'hidden-from-the-log',
  };
  const read = () => readConfig(environment);
  expect(read).toThrow(ConfigError);
  try {
    read();
  } catch (error) {
    const { faults, message } = error as ConfigError;
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(Object.keys(environment));
    expect(message).not.toContain('short');
    expect(message).not.toContain('hidden');
  }
});

test('takes a browser by its path or WebSocket, and says that as root it has no sandbox', () => {
  expect(readConfig({})).toMatchObject({ renderer: 'auto', rendererSandbox: true });
  for (const renderer of ['auto', 'off', 'ws://browser:9222', 'wss://browser.example/devtools/browser/1?token=a']) {
    expect(readConfig({ RENDERER: renderer }).renderer).toBe(renderer);
  }
  for (const renderer of ['/no/such/chromium', 'http://browser:9222', 'ws://', 'on', import.meta.filename]) {
    expect(() => readConfig({ RENDERER: renderer })).toThrow('RENDERER must be auto, off, the absolute path');
  }
  const read = () => readConfig({ RENDERER: process.execPath }).renderer;
  if (process.getuid?.() === 0) expect(read).toThrow('as root Chromium has no sandbox');
  else expect(read()).toBe(process.execPath);
});

test('takes a place for purges with one kind of placeholder or none', () => {
  for (const url of ['http://10.0.0.1:6081/', 'https://a.example/purge/{key}', 'https://a.example/?url={url}']) {
    expect(readConfig({ PURGE_URL: url }).purgeTargets).toEqual([{ url, header: null }]);
  }
  for (const url of [
    '/purge',
    'ftp://a.example',
    'http://user@a.example/',
    'http://a.example/{key}/{url}',
    'http://',
    'http://a.example/, /purge',
    Array(11).fill('http://a.example/').join(','),
  ]) {
    expect(() => readConfig({ PURGE_URL: url })).toThrow('PURGE_URL must be an http or https URL');
  }
});

test('takes several places for purges, with one header for all or one for each', () => {
  const [first, second] = ['http://10.0.0.1:6081/purge?zones=1,2', 'https://b.example/{key}'];
  const fastly = { name: 'Fastly-Key', value: 'a, b' };
  const bearer = { name: 'Authorization', value: 'Bearer c' };
  for (const separator of [',', ', ', ' ', '\n']) {
    const PURGE_URL = [first, second].join(separator);
    for (const [PURGE_HEADER, headers] of [
      ['', [null, null]],
      ['Authorization: Bearer c', [bearer, bearer]],
      ['Fastly-Key: a, b,Authorization: Bearer c', [fastly, bearer]],
      ['none, Authorization: Bearer c', [null, bearer]],
      ['Fastly-Key: a, b, none', [fastly, null]],
    ] as const) {
      expect(readConfig({ PURGE_URL, PURGE_HEADER }).purgeTargets).toEqual([
        { url: first, header: headers[0] },
        { url: second, header: headers[1] },
      ]);
    }
  }
  const three = [first, second, second].join();
  expect(() => readConfig({ PURGE_URL: three, PURGE_HEADER: 'a: b, none' })).toThrow('PURGE_HEADER must be one header');
});

test.each(['1.2.3.4', '-x.example', 'a..b', 'example.com:0', 'example.com:1:2', 'é.example', ''.padEnd(230, 'a')])(
  'refuses %s as the host of embeds',
  (host) => {
    expect(() => readConfig({ EMBED_HOST: host })).toThrow('EMBED_HOST');
  },
);

test.each([
  'nginx',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '::1/129',
  'fe80::1%eth0',
  '127.0.0.1,',
  '127.0.0.1:80',
  '*',
  'true',
])('refuses %s as a trusted proxy', (proxy) => {
  expect(() => readConfig({ TRUST_PROXY: proxy })).toThrow('TRUST_PROXY must be addresses or networks of proxies');
});

test.each(['file::memory:', 'file:x.db?mode=ro', 'file:x.db#a', 'file:', 'file:x/'])(
  'refuses %s as the database, and says what it must be',
  (url) => {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow(
      `DATABASE_URL must be file:<path of a file on disk>, without parameters, or postgresql://<user>:<password>@<host>[,<host>…]/<database>, where target_session_attrs can be read-write or primary, not "${url}"`,
    );
  },
);

test.each([
  'postgresql://embeds@db.example/embeds',
  'postgres://embeds:secret@db.example:5433/embeds?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgresql:///embeds?host=/var/run/postgresql',
  'postgresql://embeds:secret@one:5432,two:5433/embeds?target_session_attrs=read-write',
  'postgresql:///embeds?host=/run/a,/run/b&port=5432,5433',
  'postgresql://embeds@one/embeds?target_session_attrs=any',
])('accepts %s as the database', (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test.each([
  'postgresql://embeds:secret@db.example',
  'postgresql://embeds:secret@:x/embeds',
  'postgresql://embeds:secret@one:5432,two:x/embeds',
  'postgresql://embeds:secret@one,two/embeds?target_session_attrs=any',
  'postgresql://embeds:secret@one/embeds?target_session_attrs=standby',
  'postgresql://embeds:100%secret@db/embeds',
  'mysql://embeds:secret@db/x',
  'postgresql://db.example?user=embeds&password=secret',
  'postgresql://db.example:5432?password=a@secret',
  'postgresql://embeds:secret?a=@db',
])('refuses %s as the database without printing the password', (url) => {
  const read = () => readConfig({ DATABASE_URL: url });
  expect(read).toThrow('DATABASE_URL must be');
  expect(read).not.toThrow('secret');
});

test('refuses the URL of a CDN without printing a key in it', () => {
  const read = () => readConfig({ PURGE_URL: 'ftp://cdn.example/purge?zone=1&key=secret' });
  expect(read).toThrow('not "ftp://cdn.example/purge?zone=***&key=***"');
});

test.each(['05', '+5', ' 5', '5 ', '5.0', '5e0', '0x5', '５', '005'])('refuses %j as a whole number', (text) => {
  for (const name of ['PORT', 'DATABASE_POOL', 'RATE_LIMIT', 'STOP_DELAY', 'STALE_IF_ERROR']) {
    expect(() => readConfig({ [name]: text })).toThrow(`${name} must be a whole number`);
  }
  expect(() => readConfig({ EMBED_HOST: `example.com:${text}` })).toThrow('EMBED_HOST must be');
});
