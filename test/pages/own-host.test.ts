import { expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { FetchFailure } from '../../src/pages/fetch/failure.ts';
import { requireTarget } from '../../src/pages/fetch/target.ts';

const EMBED = '01m7y4dcyp2ad36zr4waqryvpr';

/** Whether the fetcher refuses a host and port because they are the service itself. */
async function isOwn(host: string, config: Config): Promise<boolean> {
  const rules = {
    policy: { allowPrivatePages: true },
    ownAddresses: config,
    resolve: async () => ['127.0.0.1'],
  };
  try {
    await requireTarget(new URL(`http://${host}/`), rules, new AbortController().signal);
    return false;
  } catch (error) {
    return error instanceof FetchFailure && error.reason === 'own-host';
  }
}

test.each([
  'localhost:4000',
  '127.0.0.1:4000',
  '[::1]:4000',
  'embeds.localhost:4000',
  `${EMBED}.embeds.localhost:4000`,
  `${EMBED}.localhost:4000`,
])('does not fetch %s, which is the service itself', async (host) => {
  expect(await isOwn(host, readConfig({}))).toBe(true);
});

test.each(['localhost:4001', `${EMBED}.embeds.localhost:80`, 'mylocalhost:4000', 'example.com:4000'])(
  'takes %s for another server',
  async (host) => {
    expect(await isOwn(host, readConfig({}))).toBe(false);
  },
);

test('does not fetch any name of this machine on its port, or of an embed host that is set', async () => {
  const config = readConfig({ EMBED_HOST: 'embeds.example.com' });
  expect(await isOwn(`${EMBED}.localhost:4000`, config)).toBe(true);
  expect(await isOwn(`${EMBED}.embeds.example.com:443`, config)).toBe(true);
  expect(await isOwn('example.com:443', config)).toBe(false);
});
