const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const ABSOLUTE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** In seconds; each is used from where it begins. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago something was; when exactly, on a closer look. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={ABSOLUTE.format(date)}>
      {ago((Date.now() - date.getTime()) / 1_000)}
    </time>
  );
}

function ago(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
  return unit && length ? RELATIVE.format(-Math.floor(seconds / length), unit) : 'just now';
}
