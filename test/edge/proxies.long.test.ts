import { testBehind, testExpiryBehind } from './behind-program.ts';
import { openNginx, openVarnish } from './programs.ts';

const NGINX = { name: 'nginx', versionFlag: '-v', open: () => openNginx() };
const VARNISH = { name: 'varnishd', versionFlag: '-V', open: openVarnish };

testBehind({ ...NGINX, codings: ['br', 'gzip'] });
testBehind({ ...VARNISH, codings: ['gzip'] });
testExpiryBehind({ ...NGINX, isGatewayAway: false });
testExpiryBehind({ ...NGINX, open: () => openNginx({ hasStalePages: false }), isGatewayAway: true });
for (const isGatewayAway of [false, true]) testExpiryBehind({ ...VARNISH, isGatewayAway });
