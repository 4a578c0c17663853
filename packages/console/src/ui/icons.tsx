import type { JSX } from 'preact';

/** Shapes on a grid of 16 × 16, in the text colour. Icons are decorative: every use has a text label. */
const SHAPES = {
  plus: <path d="M8 3v10M3 8h10" />,
  back: <path d="M9.5 3.5 5 8l4.5 4.5" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.75" />
      <path d="M10.5 5.5V4.25c0-.97-.78-1.75-1.75-1.75h-4.5c-.97 0-1.75.78-1.75 1.75v4.5c0 .97.78 1.75 1.75 1.75H5.5" />
    </>
  ),
  check: <path d="m3.5 8.5 3 3 6-7" />,
  open: <path d="M9.5 2.5h4v4M13.5 2.5 7.5 8.5M6.5 3.5h-2c-1.1 0-2 .9-2 2v6c0 1.1.9 2 2 2h6c1.1 0 2-.9 2-2v-2" />,
  edit: <path d="m10.3 3.2 2.5 2.5M3 13l.7-3 7.1-7.1a1.2 1.2 0 0 1 1.7 0l.6.6a1.2 1.2 0 0 1 0 1.7L6 12.3 3 13z" />,
  trash: <path d="M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 8c.1.6.5 1 1.1 1h4.6c.6 0 1-.4 1.1-1l.6-8M6.75 7v4M9.25 7v4" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M8 1.5v1M8 13.5v1M14.5 8h-1M2.5 8h-1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7" />
    </>
  ),
  moon: <path d="M13.5 9.5A5.75 5.75 0 0 1 6.5 2.5a5.75 5.75 0 1 0 7 7z" />,
  system: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="8.5" rx="1.5" />
      <path d="M5.5 13.75h5" />
    </>
  ),
  reader: (
    <>
      <circle cx="8" cy="5" r="2.5" />
      <path d="M3 13.5c.5-2.6 2.4-4 5-4s4.5 1.4 5 4" />
    </>
  ),
  clock: <path d="M8 2.250a5.750 5.750 0 1 0 0 11.500 5.750 5.750 0 0 0 0-11.500zM8 4.750V8l2.250 1.500" />,
  leave: <path d="M6.5 2.5h-2c-1.1 0-2 .9-2 2v7c0 1.1.9 2 2 2h2M10.5 5l3 3-3 3M13 8H6.5" />,
  webhook: <path d="M9 1.75 3.5 9h4L7 14.250 12.500 7h-4L9 1.750z" />,
  key: (
    <>
      <circle cx="5" cy="11" r="2.5" />
      <path d="m6.8 9.2 6.2-6.200M10.5 5.5l2 2" />
    </>
  ),
  phone: (
    <>
      <rect x="4.5" y="1.750" width="7" height="12.5" rx="1.5" />
      <path d="M7.250 12h1.5" />
    </>
  ),
  page: (
    <path d="M4.250 1.750h5l3 3v8.5a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-10.5a1 1 0 0 1 1-1zM9 2v3h3M5.750 8h4.5M5.750 10.750h3" />
  ),
  sliders: <path d="M2.5 5h6M12 5h1.5M2.5 11h1.5M7.5 11h6M10.250 3.250v3.5M5.750 9.250v3.5" />,
  cards: <path d="M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5h-4.5zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5h-4.5z" />,
  table: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  upload: <path d="M8 10.5v-7.500M5 6l3-3 3 3M3 10.500v2h10v-2" />,
  keyboard: (
    <>
      <rect x="1.500" y="4" width="13" height="8" rx="1.500" />
      <path d="M4 6.500h.01M6.500 6.500h.01M9 6.500h.01M11.500 6.500h.01M5 9.500h6" />
    </>
  ),
  code: <path d="m5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5l3.5 3.5-3.5 3.5" />,
  warning: <path d="M8 2.250 14.250 13H1.750L8 2.250zM8 6.5v3M8 11.250v.01" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  refresh: <path d="M13 3.250v3.250H9.750M12.750 6.250A5.250 5.250 0 1 0 13.250 8" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.250" />
      <path d="m10.250 10.250 3.250 3.250" />
    </>
  ),
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="4" />
      <path d="M4 5h8M4 8h8M4 11h5" />
    </svg>
  );
}
