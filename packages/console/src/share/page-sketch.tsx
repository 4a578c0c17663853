import type { ComponentChildren } from 'preact';

/** Where an embed is shown: a page, an app, a README, a post with blocks, a browser tab, or a message of a tool. */
export type Place = keyof typeof PLACES;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The embed: a heading and lines of text, as many as there is room for. */
function Embed({ x, y, width, height }: Box) {
  const lines = Array.from({ length: Math.floor((height - 8) / 6) }, (_, i) => i);
  return (
    <>
      <rect class="embed" x={x} y={y} width={width} height={height} rx="2" />
      {lines.map((i) => (
        <path
          key={i}
          class={i === 0 ? 'title' : undefined}
          d={`M${x + 5} ${y + 7 + i * 6}h${(width - 10) * (i === 0 ? 0.5 : 0.9)}`}
        />
      ))}
    </>
  );
}

const PLACES = {
  page: (
    <>
      <path d="M10 9h40M10 47h52" />
      <Embed x={10} y={15} width={52} height={26} />
    </>
  ),
  app: (
    <>
      <path class="edge" d="M20 1v54" />
      <path d="M6 10h8M6 18h8M6 26h8M27 10h24" />
      <Embed x={26} y={17} width={40} height={32} />
    </>
  ),
  readme: (
    <>
      <path class="edge" d="M10 16h52" />
      <path d="M10 10h22M10 24h52M10 42h52M10 49h34" />
      <path class="link" d="M10 32h30M10 35.5h30" />
    </>
  ),
  post: (
    <>
      <path class="edge" d="M1 11h70" />
      <path d="M6 6h4M14 6h4M22 6h4M12 18h30M12 50h44" />
      <rect class="block" x="8" y="22" width="56" height="24" rx="1" />
      <Embed x={11} y={25} width={50} height={18} />
    </>
  ),
  tab: (
    <>
      <path class="edge" d="M1 13h70" />
      <path d="M7 7h0M12 7h0M17 7h0M25 7h36" />
      <Embed x={1} y={13} width={70} height={42} />
    </>
  ),
  message: (
    <>
      <circle cx="11" cy="11" r="4" />
      <path d="M20 9h16M20 15h40" />
      <path class="title" d="M20 22v28" />
      <Embed x={24} y={22} width={40} height={28} />
    </>
  ),
} as const satisfies Readonly<Record<string, ComponentChildren>>;

/** A small picture of a place with the embed, or with the link to it. */
export function PageSketch({ place }: { readonly place: Place }) {
  return (
    <svg class="sketch" viewBox="0 0 72 56" aria-hidden="true" data-place={place}>
      <rect class="sheet" x="0.5" y="0.5" width="71" height="55" rx="5" />
      {PLACES[place]}
    </svg>
  );
}
