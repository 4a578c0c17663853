import { expect, test } from 'vitest';
import { renderFrame } from '../src/render/frame.ts';
import type { FrameView } from '../src/render/frame-view.ts';
import { contrastOf, createLookStyle, type Look, parseColour } from '../src/render/look-style.ts';
import { sampleView } from './samples.ts';

const pageWith = (look: Look | null, changes: Partial<FrameView> = {}) =>
  renderFrame(sampleView({}, { settings: { look, allowedSites: null }, ...changes }));

test('without a look, a page has no further style sheet', () => {
  expect(pageWith(null).html.match(/<style>/g)).toHaveLength(1);
});

test('a look is a style sheet that the policy allows by its hash', () => {
  const look: Look = { accentColor: '#b3261e', width: 'FULL', baseSize: 18, radius: 0, branding: true };
  const { html, contentSecurityPolicy } = pageWith(look);
  const style = createLookStyle(look);
  expect(html).toContain(`<style>${style?.text}</style>`);
  expect(contentSecurityPolicy).toContain(style?.hash);
  expect(contentSecurityPolicy).not.toContain('unsafe-inline');
  expect(style?.text).toContain(':root{--measure:100vw}:root{font-size:calc(1.125rem*var(--zoom))}');
  expect(html).toContain('Embed Gateway</p>');
});

const COLOURS = ['00', '40', '80', 'c0', 'ff'];
const ALL = COLOURS.flatMap((red) => COLOURS.flatMap((green) => COLOURS.map((blue) => `#${red}${green}${blue}`)));
/** Of page.css, in light and in dark. The last are those of marked lines and words. */
const SURFACES = [
  ['#ffffff', '#f6f7f9', '#fff1a8'],
  ['#17181c', '#1f2126', '#383c45', '#463800'],
];

test('accents keep their contrast with every surface and with their own text, whatever colour is chosen', () => {
  for (const accentColor of ALL) {
    const text = createLookStyle({ accentColor })?.text ?? '';
    const accents = /--accent:light-dark\((#\w{6}),(#\w{6})\)/.exec(text)?.slice(1) ?? [];
    expect(accents).toHaveLength(2);
    for (const [mode, accent] of accents.entries()) {
      for (const surface of [...(SURFACES[mode] ?? []), mode === 0 ? '#ffffff' : '#000000']) {
        expect([accentColor, contrastOf(parseColour(accent), parseColour(surface)) >= 4.5]).toEqual([
          accentColor,
          true,
        ]);
      }
    }
  }
});

test('a colour with enough contrast stays as it is', () => {
  expect(createLookStyle({ accentColor: '#1557c0' })?.text).toContain('--accent:light-dark(#1557c0,');
  expect(createLookStyle({ accentColor: '#8cb4ff' })?.text).toContain(',#8cb4ff)');
});

test('a logo takes the place of the icon, from the host of the embed if pictures do', () => {
  const logoUrl = 'https://example.com/logo.svg';
  expect(pageWith({ logoUrl }).html).toContain(`<p class="site"><img src="${logoUrl}"`);
  const local = pageWith({ logoUrl }, { hasLocalPictures: true });
  expect(local.html).not.toContain(`<p class="site"><img src="${logoUrl}"`);
  expect([...local.pictures.values()]).toContain(logoUrl);
});
