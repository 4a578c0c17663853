import { expect, test } from 'vitest';
import { FetchFailure } from '../../src/fetch/failure.ts';
import { type OwnAddresses, requireTarget } from '../../src/fetch/target.ts';

const EMBED = '01m7y4dcyp2ad36zr4waqryvpr';
const LOCAL = { embedHost: 'embeds.localhost:4000', host: '127.0.0.1', port: 4000 };

/** Tests if the fetcher rejects a host and port as those of the service itself. */
async function isOwnHost(host: string, ownAddresses: OwnAddresses): Promise<boolean> {
  const rules = {
    policy: { allowPrivatePages: true },
    ownAddresses,
    resolve: async () => ['127.0.0.1'],
  };
  try {
    await requireTarget(new URL(`http://${host}/`), rules, new AbortController().signal);
    return false;
  } catch (error) {
    return error instanceof FetchFailure && error.result.reason === 'own-host';
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
  expect(await isOwnHost(host, LOCAL)).toBe(true);
});

test.each(['localhost:4001', `${EMBED}.embeds.localhost:80`, 'mylocalhost:4000', 'example.com:4000'])(
  'treats %s as another server',
  async (host) => {
    expect(await isOwnHost(host, LOCAL)).toBe(false);
  },
);

test('does not fetch names below localhost on its port, or below EMBED_HOST', async () => {
  const own = { ...LOCAL, embedHost: 'embeds.example.com' };
  expect(await isOwnHost(`${EMBED}.localhost:4000`, own)).toBe(true);
  expect(await isOwnHost(`${EMBED}.embeds.example.com:443`, own)).toBe(true);
  expect(await isOwnHost('example.com:443', own)).toBe(false);
});
