import { testBehind } from './behind-program.ts';
import { openVarnish } from './programs.ts';

testBehind({ name: 'varnishd', versionFlag: '-V', open: openVarnish, codings: ['gzip'] });
