/** A passage of text: `:~:text=[prefix-,]start[,end][,-suffix]` (URL Fragment Text Directives). */
interface TextDirective {
  readonly prefix: string;
  readonly start: string;
  readonly end: string | null;
  readonly suffix: string;
}

/** Places in a list; `end` is excluded. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** More directives of one fragment are ignored: each one searches the whole article. */
const MAX_DIRECTIVES = 10;
/** Characters of scripts that put spaces between words. */
const SPACED =
  /^(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar})[\p{L}\p{N}]/u;

/** Finds the passages that a fragment names in texts that follow each other, without regard to case, accents and spaces. */
export function findPassages(texts: readonly string[], fragment: string): readonly Range[] {
  const [, directives = ''] = /:~:(.*)$/s.exec(fragment) ?? [];
  const values = directives.split('&').filter((one) => one.startsWith('text='));
  const parsed = values.slice(0, MAX_DIRECTIVES).flatMap((one) => parseTextDirective(one.slice('text='.length)) ?? []);
  if (parsed.length === 0) return [];
  const normal = texts.map((text) => normalise(text).trim());
  let length = 0;
  const offsets = normal.map((text) => {
    const offset = length;
    length += text === '' ? 0 : text.length + 1;
    return offset;
  });
  const whole = normal.filter((text) => text !== '').join(' ');
  const placeOf = (at: number) => offsets.findLastIndex((offset) => offset <= at);
  return parsed.flatMap((directive) => {
    const found = findPassage(whole, directive);
    return found ? [{ start: placeOf(found.start), end: placeOf(found.end - 1) + 1 }] : [];
  });
}

function parseTextDirective(value: string): TextDirective | null {
  const parts = value.split(',');
  const prefix = parts.length > 1 && parts[0]?.endsWith('-') ? parts.shift()?.slice(0, -1) : '';
  const suffix = parts.length > 1 && parts.at(-1)?.startsWith('-') ? parts.pop()?.slice(1) : '';
  const [start, end] = parts;
  if (!start || parts.length > 2) return null;
  try {
    const [from = '', to = '', before = '', after = ''] = [start, end, prefix, suffix].map((text) =>
      normalise(decodeURIComponent(text ?? '')).trim(),
    );
    return from === '' ? null : { prefix: before, start: from, end: to || null, suffix: after };
  } catch {
    return null;
  }
}

/** Returns the offsets of the first passage. */
function findPassage(text: string, { prefix, start, end, suffix }: TextDirective): Range | null {
  const isAfterPrefix = (at: number) =>
    prefix === '' || text.startsWith(prefix, (text[at - 1] === ' ' ? at - 1 : at) - prefix.length);
  const isBeforeSuffix = (at: number) => suffix === '' || text.startsWith(suffix, text[at] === ' ' ? at + 1 : at);
  const startAt = findWords(text, start, 0, ({ start: from, end: to }) => {
    return isAfterPrefix(from) && (end !== null || isBeforeSuffix(to));
  });
  if (startAt === null || end === null) return startAt;
  const endAt = findWords(text, end, startAt.end, ({ end: to }) => isBeforeSuffix(to));
  return endAt && { start: startAt.start, end: endAt.end };
}

function normalise(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u00ad\u200b]+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ');
}

/** Finds words that neither begin nor end within a word. */
function findWords(text: string, words: string, from: number, accepts: (found: Range) => boolean): Range | null {
  const isInWord = (at: number) => SPACED.test(text.charAt(at - 1)) && SPACED.test(text.charAt(at));
  for (let start = text.indexOf(words, from); start >= 0; start = text.indexOf(words, start + 1)) {
    const end = start + words.length;
    if (!isInWord(start) && !isInWord(end) && accepts({ start, end })) return { start, end };
  }
  return null;
}
