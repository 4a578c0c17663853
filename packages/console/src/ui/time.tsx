const RELATIVE_TIME = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const EXACT_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Units with their length in seconds, longest first. */
const TIME_UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** A relative time, past or future, with the exact time as its tooltip. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={EXACT_TIME.format(date)}>
      {formatAge((Date.now() - date.getTime()) / 1_000)}
    </time>
  );
}

/** @param seconds negative for a time in the future */
function formatAge(seconds: number): string {
  const [unit, length] = TIME_UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (unit && length) return RELATIVE_TIME.format(-Math.trunc(seconds / length), unit);
  return seconds < 0 ? 'in less than a minute' : 'just now';
}
