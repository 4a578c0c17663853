import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { isOwnHost } from '../../src/pages/fetch/own-host.ts';

const EMBED = '01m7y4dcyp2ad36zr4waqryvpr';

test.each([
  'localhost:4000',
  '127.0.0.1:4000',
  '[::1]:4000',
  'embeds.localhost:4000',
  `${EMBED}.embeds.localhost:4000`,
  `${EMBED}.localhost:4000`,
])('knows %s as itself', (target) => {
  expect(isOwnHost(target, readConfig({}))).toBe(true);
});

test.each(['localhost:4001', `${EMBED}.embeds.localhost:80`, 'mylocalhost:4000', 'example.com:4000'])(
  'takes %s for another server',
  (target) => {
    expect(isOwnHost(target, readConfig({}))).toBe(false);
  },
);

test('knows every name of this machine on its port, also below an embed host of its own', () => {
  const config = readConfig({ EMBED_HOST: 'embeds.example.com' });
  expect(isOwnHost(`${EMBED}.localhost:4000`, config)).toBe(true);
  expect(isOwnHost(`${EMBED}.embeds.example.com:443`, config)).toBe(true);
  expect(isOwnHost('example.com:443', config)).toBe(false);
});
