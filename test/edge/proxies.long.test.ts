import { testBehind, testExpiryBehind, testForeignHostBehind } from './behind-program.ts';
import { openNginx, openVarnish } from './programs.ts';

const NGINX = { name: 'nginx', versionFlag: '-v', open: openNginx };
const VARNISH = { name: 'varnishd', versionFlag: '-V', open: openVarnish };

testBehind({ ...NGINX, codings: ['br', 'gzip'] });
testBehind({ ...VARNISH, codings: ['gzip'] });
for (const program of [NGINX, VARNISH]) {
  testForeignHostBehind(program);
  for (const isGatewayAway of [false, true]) testExpiryBehind({ ...program, isGatewayAway });
}
