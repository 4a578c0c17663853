import { useEffect, useState } from 'preact/hooks';

const RELATIVE_TIME = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const CLOCK_TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const EXACT_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Units with their length in seconds, longest first. */
const TIME_UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Updates of all times on the page, once a minute. */
const updates = new Set<() => void>();
setInterval(() => {
  for (const update of updates) update();
}, 60_000);

interface Props {
  readonly at: string;
  /** The time of the day, where a heading names the day. */
  readonly isClock?: boolean;
}

/** A relative time, past or future, which is kept current, or the time of the day. The exact time is its tooltip. */
export function Time({ at, isClock = false }: Props) {
  const [, setMinutes] = useState(0);
  useEffect(() => {
    const update = () => setMinutes((count) => count + 1);
    updates.add(update);
    return () => void updates.delete(update);
  }, []);
  const date = new Date(at);
  return (
    <time dateTime={at} title={EXACT_TIME.format(date)}>
      {isClock ? CLOCK_TIME.format(date) : formatAge((Date.now() - date.getTime()) / 1_000)}
    </time>
  );
}

/** @param seconds negative for a time in the future */
function formatAge(seconds: number): string {
  const [unit, length] = TIME_UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (unit && length) return RELATIVE_TIME.format(-Math.trunc(seconds / length), unit);
  return seconds < 0 ? 'in less than a minute' : 'just now';
}
