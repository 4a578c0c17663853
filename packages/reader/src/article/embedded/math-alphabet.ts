interface Alphabet {
  readonly upper: number;
  readonly lower: number;
  readonly digit?: number;
}

/** First letters of the Unicode block Mathematical Alphanumeric Symbols by the values of `mathvariant`. */
const ALPHABETS = new Map<string, Alphabet>(
  Object.entries({
    bold: { upper: 0x1d400, lower: 0x1d41a, digit: 0x1d7ce },
    italic: { upper: 0x1d434, lower: 0x1d44e },
    'bold-italic': { upper: 0x1d468, lower: 0x1d482 },
    script: { upper: 0x1d49c, lower: 0x1d4b6 },
    'bold-script': { upper: 0x1d4d0, lower: 0x1d4ea },
    fraktur: { upper: 0x1d504, lower: 0x1d51e },
    'double-struck': { upper: 0x1d538, lower: 0x1d552, digit: 0x1d7d8 },
    'bold-fraktur': { upper: 0x1d56c, lower: 0x1d586 },
    'sans-serif': { upper: 0x1d5a0, lower: 0x1d5ba, digit: 0x1d7e2 },
    'bold-sans-serif': { upper: 0x1d5d4, lower: 0x1d5ee, digit: 0x1d7ec },
    'sans-serif-italic': { upper: 0x1d608, lower: 0x1d622 },
    'sans-serif-bold-italic': { upper: 0x1d63c, lower: 0x1d656 },
    monospace: { upper: 0x1d670, lower: 0x1d68a, digit: 0x1d7f6 },
  }),
);

/** Letters that Unicode had before the block. */
const EARLIER: Readonly<Record<string, string>> = {
  'italic h': 'ℎ',
  ...Object.fromEntries([...'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ'].flatMap(pairWith('script'))),
  ...Object.fromEntries([...'CℭHℌIℑRℜZℨ'].flatMap(pairWith('fraktur'))),
  ...Object.fromEntries([...'CℂHℍNℕPℙQℚRℝZℤ'].flatMap(pairWith('double-struck'))),
};

function pairWith(variant: string) {
  return (letter: string, i: number, all: readonly string[]) =>
    i % 2 === 0 ? [[`${variant} ${letter}`, all[i + 1] ?? letter]] : [];
}

/** Replaces Latin letters and digits: MathML Core has no `mathvariant` but `normal`. */
export function toMathAlphabet(text: string, variant: string): string {
  const alphabet = ALPHABETS.get(variant);
  if (!alphabet) return text;
  return text.replace(/[A-Za-z\d]/g, (character) => {
    const earlier = EARLIER[`${variant} ${character}`];
    if (earlier) return earlier;
    if (/\d/.test(character)) return shift(character, '0', alphabet.digit);
    return /[A-Z]/.test(character) ? shift(character, 'A', alphabet.upper) : shift(character, 'a', alphabet.lower);
  });
}

function shift(character: string, first: string, start: number | undefined): string {
  if (start === undefined) return character;
  return String.fromCodePoint(start + character.charCodeAt(0) - first.charCodeAt(0));
}
