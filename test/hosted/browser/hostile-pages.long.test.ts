import { test } from 'vitest';
import { checkFiles, checkPages } from './hostile-pages.ts';

test('no file of any kind with any payload becomes code in the embed', { timeout: 300_000 }, () => checkFiles(1));

test('no text of any article or card becomes code in the embed, its oEmbed responses or its snippet', () =>
  checkPages(1));
