import { test } from 'vitest';
import { checkFiles, checkPages } from './hostile-pages.ts';

test('no file becomes code in the embed, whatever its kind', () => checkFiles(8));

test('no text of a source page becomes code in the embed, its oEmbed responses or its snippet', () => checkPages(4));
