import { testBehind } from './behind-program.ts';
import { openNginx } from './programs.ts';

testBehind({ name: 'nginx', versionFlag: '-v', open: openNginx, codings: ['br', 'gzip'] });
