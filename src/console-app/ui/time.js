import { jsx as _jsx } from 'preact/jsx-runtime';

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const ABSOLUTE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** In seconds; each is used from where it begins. */
const UNITS = [
  ['year', 31536000],
  ['month', 2592000],
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
];
/** How long ago something was; when exactly, on a closer look. */
export function Time({ at }) {
  const date = new Date(at);
  return _jsx('time', {
    dateTime: at,
    title: ABSOLUTE.format(date),
    children: ago((Date.now() - date.getTime()) / 1000),
  });
}
function ago(seconds) {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
  return unit && length ? RELATIVE.format(-Math.floor(seconds / length), unit) : 'just now';
}
