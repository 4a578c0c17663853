/** Right-to-left scripts (ISO 15924). */
const RTL_SCRIPTS = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr', 'Aran'];
const RTL_LETTER =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}\p{Script=Nko}\p{Script=Adlam}]/gu;
const LETTER = /\p{L}/gu;
/** In characters: enough to tell the script of a text. */
const MAX_SAMPLE_LENGTH = 2_000;

type Direction = 'ltr' | 'rtl';

/** Returns the direction in which most people write a language; null if the tag says nothing. */
export function directionOfLanguage(language: string | null): Direction | null {
  if (language === null) return null;
  const { script } = new Intl.Locale(language).maximize();
  return script === undefined ? null : RTL_SCRIPTS.includes(script) ? 'rtl' : 'ltr';
}

/** Returns the direction of most letters of a text. */
export function directionOfText(text: string): Direction {
  const sample = text.slice(0, MAX_SAMPLE_LENGTH);
  const rtlCount = sample.match(RTL_LETTER)?.length ?? 0;
  return rtlCount * 2 > (sample.match(LETTER)?.length ?? 0) ? 'rtl' : 'ltr';
}
