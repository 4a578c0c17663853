/** A video, recording, map or program that its provider shows in a frame on other sites. */
export interface Player {
  readonly provider: string;
  readonly frameUrl: string;
  /** The URL of the frame that plays at once, for readers who have clicked. */
  readonly playUrl: string;
  /** The page of the same content for a browser window. */
  readonly pageUrl: string;
  readonly posterUrl: string | null;
  /** In pixels. Wider columns do not make the frame higher, narrower ones keep the ratio. */
  readonly width: number;
  readonly height: number;
}

interface Provider {
  readonly name: string;
  /** Without `www.`. */
  readonly hosts: readonly string[];
  readonly frameOrigin: string;
  /** The parameter of the frame by which it plays at once. */
  readonly autoplay?: string;
  find(url: URL): Omit<Player, 'provider' | 'playUrl'> | null;
}

const VIDEO = { posterUrl: null, width: 1280, height: 720 };
const PORTRAIT = { posterUrl: null, width: 405, height: 720 };
const MAP = { posterUrl: null, width: 640, height: 480 };
const RECORDING_WIDTH = 320;

const YOUTUBE: Provider = {
  name: 'YouTube',
  hosts: ['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtube-nocookie.com', 'youtu.be'],
  frameOrigin: 'https://www.youtube-nocookie.com',
  autoplay: 'autoplay=1',
  find(url) {
    const { pathname, searchParams } = url;
    const list = matchFirst(/^([\w-]{2,60})$/, searchParams.get('list'));
    if (list && /^\/(?:playlist|embed\/videoseries)\/?$/.test(pathname)) {
      const query = createQuery({ list });
      return {
        ...VIDEO,
        frameUrl: `${this.frameOrigin}/embed/videoseries${query}`,
        pageUrl: `https://www.youtube.com/playlist${query}`,
      };
    }
    const id =
      matchFirst(/^\/(?:embed|shorts|live|v|e)\/([\w-]{11})(?:\/|$)/, pathname) ??
      (url.hostname === 'youtu.be' ? matchFirst(/^\/([\w-]{11})(?:\/|$)/, pathname) : null) ??
      (/^\/watch\/?$/.test(pathname) ? matchFirst(/^([\w-]{11})$/, searchParams.get('v')) : null);
    if (id === null) return null;
    const start = readSeconds(searchParams.get('start') ?? searchParams.get('t'));
    return {
      ...(pathname.startsWith('/shorts/') ? PORTRAIT : VIDEO),
      frameUrl: `${this.frameOrigin}/embed/${id}${createQuery({ start })}`,
      pageUrl: `https://www.youtube.com/watch${createQuery({ v: id, t: start && `${start}s` })}`,
      posterUrl: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
    };
  },
};

const VIMEO: Provider = {
  name: 'Vimeo',
  hosts: ['vimeo.com', 'player.vimeo.com'],
  frameOrigin: 'https://player.vimeo.com',
  autoplay: 'autoplay=1',
  find({ pathname, searchParams }) {
    const path = /^\/(?:video\/|channels\/[\w-]+\/|groups\/[\w-]+\/videos\/)?(\d{1,12})(?:\/([\da-f]{6,40}))?\/?$/;
    const [, id, hash] = path.exec(pathname) ?? [];
    if (id === undefined) return null;
    // unlisted videos need the hash
    const h = hash ?? matchFirst(/^([\da-f]{6,40})$/, searchParams.get('h'));
    return {
      ...VIDEO,
      frameUrl: `${this.frameOrigin}/video/${id}${createQuery({ h, dnt: '1' })}`,
      pageUrl: `https://vimeo.com/${id}${h ? `/${h}` : ''}`,
    };
  },
};

const SPOTIFY: Provider = {
  name: 'Spotify',
  hosts: ['open.spotify.com', 'play.spotify.com'],
  frameOrigin: 'https://open.spotify.com',
  find({ pathname, searchParams }) {
    const path = pathname.startsWith('/embed') ? (searchParams.get('uri')?.replaceAll(':', '/') ?? pathname) : pathname;
    const item = matchFirst(/(?:^|\/)((?:track|album|artist|playlist|show|episode)\/[\dA-Za-z]{10,40})\/?$/, path);
    if (item === null) return null;
    return {
      frameUrl: `${this.frameOrigin}/embed/${item}`,
      pageUrl: `https://open.spotify.com/${item}`,
      posterUrl: null,
      width: RECORDING_WIDTH,
      height: /^(?:track|episode)/.test(item) ? 152 : 352,
    };
  },
};

const SOUNDCLOUD: Provider = {
  name: 'SoundCloud',
  hosts: ['soundcloud.com', 'm.soundcloud.com', 'w.soundcloud.com'],
  frameOrigin: 'https://w.soundcloud.com',
  autoplay: 'auto_play=true',
  find(url) {
    const isFrame = url.hostname === 'w.soundcloud.com';
    const reference = isFrame ? url.searchParams.get('url') : `https://soundcloud.com${url.pathname}`;
    const path = matchFirst(
      /^https?:\/\/(?:www\.|m\.)?soundcloud\.com(\/[\w-]+\/(?:sets\/)?[\w-]+(?:\/s-\w+)?)\/?(?:\?|$)/,
      reference,
    );
    const item = matchFirst(/^https?:\/\/api\.soundcloud\.com(\/(?:tracks|playlists)\/[\w:%]+)/, reference);
    const target = path ? `https://soundcloud.com${path}` : item && `https://api.soundcloud.com${item}`;
    if (!target) return null;
    const frameUrl = `${this.frameOrigin}/player/${createQuery({ url: target })}`;
    const isList = /\/(?:sets|playlists)\//.test(target);
    return {
      frameUrl,
      // SoundCloud does not tell the page of a number
      pageUrl: path ? target : frameUrl,
      posterUrl: null,
      width: RECORDING_WIDTH,
      height: isList ? 450 : 166,
    };
  },
};

const CODEPEN: Provider = {
  name: 'CodePen',
  hosts: ['codepen.io'],
  frameOrigin: 'https://codepen.io',
  find({ pathname, searchParams }) {
    const path = /^\/((?:team\/)?[\w-]{1,60})\/(?:pen|embed(?:\/preview)?|full|details)\/([\w-]{4,60})\/?$/;
    const [, user, pen] = path.exec(pathname) ?? [];
    if (user === undefined) return null;
    const tab = matchFirst(/^([a-z,]{2,30})$/, searchParams.get('default-tab')) ?? 'result';
    return {
      frameUrl: `${this.frameOrigin}/${user}/embed/${pen}${createQuery({ 'default-tab': tab })}`,
      pageUrl: `https://codepen.io/${user}/pen/${pen}`,
      posterUrl: null,
      width: RECORDING_WIDTH,
      height: 480,
    };
  },
};

const COORDINATE = String.raw`-?\d{1,3}(?:\.\d{1,15})?`;
const BOX = new RegExp(`^(${COORDINATE}(?:,${COORDINATE}){3})$`);
const POINT = new RegExp(`^(${COORDINATE}),(${COORDINATE})$`);
const POSITION = new RegExp(`^#map=(\\d{1,2})/(${COORDINATE})/(${COORDINATE})`);

const OPENSTREETMAP: Provider = {
  name: 'OpenStreetMap',
  hosts: ['openstreetmap.org'],
  frameOrigin: 'https://www.openstreetmap.org',
  find({ pathname, searchParams, hash }) {
    const isFrame = pathname === '/export/embed.html';
    if (!isFrame && pathname !== '/') return null;
    const bbox = matchFirst(BOX, searchParams.get('bbox')) ?? boxOf(POSITION.exec(hash));
    if (bbox === null) return null;
    const place = isFrame ? searchParams.get('marker') : `${searchParams.get('mlat')},${searchParams.get('mlon')}`;
    const [marker, mlat, mlon] = POINT.exec(place ?? '') ?? [];
    const layer = matchFirst(/^(\w{2,20})$/, searchParams.get('layer'));
    return {
      ...MAP,
      frameUrl: `${this.frameOrigin}/export/embed.html${createQuery({ bbox, layer, marker })}`,
      pageUrl: `https://www.openstreetmap.org/${createQuery({ bbox, mlat, mlon })}`,
    };
  },
};

/** Returns west, south, east and north of a map of 640 × 480 pixels around a point. */
function boxOf(position: RegExpExecArray | null): string | null {
  if (position === null) return null;
  const [zoom = 0, latitude = 0, longitude = 0] = position.slice(1).map(Number);
  const halfWidth = (360 * (MAP.width / 256)) / 2 ** zoom / 2;
  const halfHeight = halfWidth * (MAP.height / MAP.width) * Math.cos((latitude * Math.PI) / 180);
  const edges = [longitude - halfWidth, latitude - halfHeight, longitude + halfWidth, latitude + halfHeight];
  return edges.map((edge) => edge.toFixed(5)).join(',');
}

const GOOGLE_MAPS: Provider = {
  name: 'Google Maps',
  hosts: ['google.com', 'maps.google.com'],
  frameOrigin: 'https://www.google.com',
  find({ hostname, pathname, searchParams }) {
    const path = hostname === 'maps.google.com' && pathname === '/' ? '/maps' : pathname.replace(/\/$/, '');
    const encoded = path === '/maps/embed' ? searchParams.get('pb') : null;
    const [, longitude, latitude] = new RegExp(`!2d(${COORDINATE})!3d(${COORDINATE})`).exec(encoded ?? '') ?? [];
    if (encoded !== null && latitude !== undefined) {
      return {
        ...MAP,
        frameUrl: `${this.frameOrigin}${path}${createQuery({ pb: encoded })}`,
        pageUrl: searchUrlOf(`${latitude},${longitude}`),
      };
    }
    const mid = /^\/maps\/d(?:\/u\/\d)?\/(?:embed|viewer)$/.test(path) ? searchParams.get('mid') : null;
    if (mid !== null) {
      const query = createQuery({ mid });
      return {
        ...MAP,
        frameUrl: `${this.frameOrigin}/maps/d/embed${query}`,
        pageUrl: `${this.frameOrigin}/maps/d/viewer${query}`,
      };
    }
    const q = findPlace(path, searchParams);
    if (q === null) return null;
    const key = path.startsWith('/maps/embed/v1/') ? searchParams.get('key') : null;
    return {
      ...MAP,
      frameUrl: key
        ? `${this.frameOrigin}/maps/embed/v1/place${createQuery({ key, q })}`
        : `${this.frameOrigin}/maps${createQuery({ q, output: 'embed' })}`,
      pageUrl: searchUrlOf(q),
    };
  },
};

function findPlace(path: string, query: URLSearchParams): string | null {
  if (path === '/maps' || path === '/maps/embed/v1/place' || path === '/maps/embed/v1/search') return query.get('q');
  if (path === '/maps/search') return query.get('query');
  const name = matchFirst(/^\/maps\/place\/([^/@][^/]*)(?:\/|$)/, path);
  const point = matchFirst(new RegExp(`^/maps/@(${COORDINATE},${COORDINATE})`), path);
  return name ? (new URLSearchParams(`q=${name}`).get('q') ?? null) : point;
}

function searchUrlOf(query: string): string {
  return `https://www.google.com/maps/search/${createQuery({ api: '1', query })}`;
}

const PROVIDERS: readonly Provider[] = [YOUTUBE, VIMEO, SPOTIFY, SOUNDCLOUD, CODEPEN, OPENSTREETMAP, GOOGLE_MAPS];

/** The only origins of frames in embeds. */
export const FRAME_ORIGINS: readonly string[] = PROVIDERS.map(({ frameOrigin }) => frameOrigin);

/** Finds the player of an absolute URL: of a page of its provider, a short link, or a frame. */
export function findPlayer(url: string): Player | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.port !== '') return null;
  const host = parsed.hostname.replace(/^www\./, '');
  const provider = PROVIDERS.find(({ hosts }) => hosts.includes(host));
  const found = provider?.find(parsed);
  if (!provider || !found) return null;
  const { frameUrl } = found;
  const playUrl = provider.autoplay ? `${frameUrl}${frameUrl.includes('?') ? '&' : '?'}${provider.autoplay}` : frameUrl;
  return { provider: provider.name, ...found, playUrl };
}

function matchFirst(pattern: RegExp, text: string | null): string | null {
  return pattern.exec(text ?? '')?.[1] ?? null;
}

/** Reads seconds, or a time such as `1h2m3s`. */
function readSeconds(text: string | null): string | null {
  const [, hours, minutes, seconds] = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(text ?? '') ?? [];
  const total = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return total > 0 ? String(total) : null;
}

function createQuery(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}
