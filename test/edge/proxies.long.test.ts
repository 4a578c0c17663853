import { testBehind } from './behind-program.ts';
import { openNginx, openVarnish } from './programs.ts';

testBehind({ name: 'nginx', versionFlag: '-v', open: openNginx, codings: ['br', 'gzip'] });
testBehind({ name: 'varnishd', versionFlag: '-V', open: openVarnish, codings: ['gzip'] });
