import { type ClientCode, createClientCode } from './client-code.ts';

export interface Look {
  /** `#rrggbb` */
  readonly accentColor?: string;
  /** Of the text, in px. */
  readonly width?: number | 'FULL';
  /** Of the text, in px. */
  readonly baseSize?: number;
  /** Of corners, in px. */
  readonly radius?: number;
  /** The picture in place of the icon of the site. */
  readonly logoUrl?: string;
  /** The last line of the frame names the service. */
  readonly branding?: boolean;
}

type Colour = readonly [red: number, green: number, blue: number];

/** Contrast of accents with {@link SURFACES}. WCAG 2.2 asks for 4.5; call-outs tint their background with the accent. */
const MIN_CONTRAST = 5;
/** The surfaces of page.css on which an accent has the least contrast, with the colour that raises it. */
const SURFACES = [
  { surface: [0xf6, 0xf7, 0xf9], towards: [0, 0, 0] },
  { surface: [0x38, 0x3c, 0x45], towards: [255, 255, 255] },
] as const satisfies readonly { readonly surface: Colour; readonly towards: Colour }[];
const STEPS = 20;
/** One rem is the text size of the reader's browser, 16 px unless the reader has changed it. */
const REM_PX = 16;

/** Corners of what the frame shows. Round signs and small marks keep theirs. */
const CORNERED =
  '.hero,.content :is(img,video,pre,.embed-player,.infobox),.callout,.original,.tool,.reader :is(select,button),.reader>div>a,.table-tools :is(input,select,button),.choice,.choice label,.card,.tile';

/** Creates the styles of a look; null without one. */
export function createLookStyle(look: Look | null): ClientCode | null {
  if (look === null) return null;
  const { accentColor, width, baseSize, radius, logoUrl, branding } = look;
  const rules = [
    accentColor === undefined ? '' : `:root{--accent:${accentsOf(accentColor)};--on-accent:light-dark(#fff,#000)}`,
    width === undefined ? '' : `:root{--measure:${width === 'FULL' ? '100vw' : `${width}px`}}`,
    baseSize === undefined ? '' : `:root{font-size:calc(${baseSize / REM_PX}rem*var(--zoom))}`,
    radius === undefined ? '' : `${CORNERED}{border-radius:${radius}px}`,
    logoUrl === undefined
      ? ''
      : '.site img{width:auto;max-width:10rem;height:1.5rem;object-fit:contain;border-radius:0;vertical-align:middle}',
    branding
      ? '.end .branding{padding-block:.5rem 0;border:0}@media screen{.address:has(.branding){display:block}.address>:not(.branding){display:none}}'
      : '',
  ];
  return createClientCode(rules.join(''));
}

/** Returns the accent of each colour mode: as near to the chosen colour as the contrast allows. */
function accentsOf(accentColor: string): string {
  const chosen = parseColour(accentColor);
  return `light-dark(${SURFACES.map(({ surface, towards }) => formatColour(withContrast(chosen, surface, towards))).join(',')})`;
}

function withContrast(chosen: Colour, surface: Colour, towards: Colour): Colour {
  for (let step = 0; step < STEPS; step++) {
    const colour = mix(chosen, towards, step / STEPS);
    if (contrastOf(colour, surface) >= MIN_CONTRAST) return colour;
  }
  return towards;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const part = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * share);
  return [part(0), part(1), part(2)];
}

/** Returns the contrast ratio (WCAG 2.2). */
export function contrastOf(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function parseColour(text: string): Colour {
  const part = (start: number) => Number.parseInt(text.slice(start, start + 2), 16);
  return [part(1), part(3), part(5)];
}

function formatColour(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
