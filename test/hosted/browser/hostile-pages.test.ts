import { test } from 'vitest';
import { checkFiles, checkPages } from './hostile-pages.ts';

test('no file becomes code in the embed, whatever its kind', { timeout: 60_000 }, () => checkFiles(8));

test(
  'no text of a source page becomes code in the embed, its oEmbed responses or its snippet',
  {
    timeout: 60_000,
  },
  () => checkPages(4),
);
