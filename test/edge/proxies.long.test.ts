import { expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { testBehind, testExpiryBehind, testForeignHostBehind } from './behind-program.ts';
import { hasProgram, openNginx, openVarnish, requestFrom } from './programs.ts';

const NGINX = { name: 'nginx', versionFlag: '-v', open: openNginx };
const VARNISH = { name: 'varnishd', versionFlag: '-V', open: openVarnish };

testBehind({ ...NGINX, codings: ['br', 'gzip'] });
testBehind({ ...VARNISH, codings: ['gzip'] });
for (const program of [NGINX, VARNISH]) {
  testForeignHostBehind(program);
  for (const isGatewayAway of [false, true]) testExpiryBehind({ ...program, isGatewayAway });
}

test.skipIf(!hasProgram(VARNISH.name, VARNISH.versionFlag))(
  'varnishd with the supplied configuration takes purges from the gateway, and none that a proxy has forwarded',
  async () => {
    const { port, purgeUrl, start } = await openVarnish();
    await start(await findFreePort());
    const purge = async (headers: Record<string, string>) => {
      const sent = { 'surrogate-key': 'embed-bread', ...headers };
      return (await requestFrom(port, purgeUrl, { method: 'POST', headers: sent })).status;
    };
    expect([await purge({}), await purge({ 'x-forwarded-for': '203.0.113.9' })]).toEqual([204, 403]);
  },
);
