import { boxAround, COORDINATE, decodeWords, findStart } from './values.ts';

interface Size {
  /** In pixels. Wider columns do not make the frame higher, narrower ones keep the ratio. */
  readonly width: number;
  readonly height: number;
}

/**
 * A form of the URLs of a provider. The named groups of its patterns are the values of its templates. In the query and the
 * fragment of a template, parts without a value are left out; elsewhere a value must exist.
 */
export interface UrlForm {
  /** One of the hosts of the provider; all of them if omitted. */
  readonly host?: string;
  readonly path: RegExp;
  /** Patterns of parameters that the URL must have. */
  readonly query?: Readonly<Record<string, RegExp>>;
  /** Patterns of parameters that it may have. */
  readonly options?: Readonly<Record<string, RegExp>>;
  /** Further values that patterns cannot find; null if the URL has not this form. */
  readonly values?: (url: URL) => Readonly<Record<string, string | null>> | null;
  /** Path and query of the frame, on the `frameOrigin`. */
  readonly frame: string;
  /** URL of the same content for a browser window; the frame if omitted. */
  readonly page?: string;
  readonly poster?: string;
  readonly size?: Size;
}

export interface Provider {
  readonly name: string;
  /** Without `www.`. A leading dot stands for any name before it, and `.*` at the end for any top-level domain of a country. */
  readonly hosts: readonly string[];
  /** The only origin of its frames, for `frame-src`. */
  readonly frameOrigin: string;
  /** The parameter of the frame by which it plays at once. */
  readonly autoplay?: string;
  /** The pages have a text of their own, which is shown rather than the frame. */
  readonly hasText?: true;
  readonly size: Size;
  readonly forms: readonly UrlForm[];
}

const VIDEO = { width: 1280, height: 720 };
const PORTRAIT = { width: 405, height: 720 };
const PICTURE = { width: 640, height: 480 };
const FORM = { width: 480, height: 640 };
const recording = (height: number): Size => ({ width: 320, height });

const VIDEO_OF_YOUTUBE = {
  values: findStart,
  frame: '/embed/{id}?start={start}',
  page: 'https://www.youtube.com/watch?v={id}&t={start}s',
  poster: 'https://i.ytimg.com/vi/{id}/hqdefault.jpg',
};
const VIDEO_ID = String.raw`(?<id>(?!live_stream|videoseries)[\w-]{11})`;
const LIVE_VIDEO = {
  frame: '/embed/live_stream?channel={channel}',
  page: 'https://www.youtube.com/channel/{channel}/live',
};
const VIDEO_OF_VIMEO = String.raw`^/(?:video/|channels/[\w-]+/|groups/[\w-]+/videos/|(?:showcase|album)/\d+/video/)?(?<id>\d{1,12})`;
const UNLISTED_OF_VIMEO = {
  values: findStart,
  frame: '/video/{id}?h={h}&dnt=1#t={start}s',
  page: 'https://vimeo.com/{id}/{h}#t={start}s',
};
const VIDEO_OF_TWITCH = {
  values: findStart,
  frame: '/?video={id}&parent=*&time={start}s',
  page: 'https://www.twitch.tv/videos/{id}?t={start}s',
};
const CHANNEL_OF_TWITCH = {
  frame: '/?channel={channel}&parent=*',
  page: 'https://www.twitch.tv/{channel}',
};
const VIDEO_OF_DAILYMOTION = {
  values: findStart,
  frame: '/player.html?video={id}&startTime={start}',
  page: 'https://www.dailymotion.com/video/{id}?start={start}',
};
const CLIP = { frame: '/embed?clip={clip}&parent=*', page: 'https://clips.twitch.tv/{clip}' };
const SPOTIFY = { frame: '/embed/{kind}/{id}', page: 'https://open.spotify.com/{kind}/{id}' };
const SONG = { frame: '/player/?url=https://soundcloud.com{path}', page: 'https://soundcloud.com{path}' };
const PAGES_OF_SOUNDCLOUD = '(?:charts|discover|jobs|pages|people|search|settings|stations|stream|tags|upload|you)/';
const LISTS_OF_ARTIST =
  '(?:albums|comments|followers|following|likes|popular-tracks|reposts|sets|spotlight|toptracks|tracks)/?$';
const SONG_NUMBER = { frame: '/player/?url=https://api.soundcloud.com{path}' };
const SOUNDCLOUD_FRAME = { host: 'w.soundcloud.com', path: /^/ };
const MAP_BOX = {
  options: {
    layer: /^(?<layer>\w{2,20})$/,
    marker: new RegExp(`^(?<mlat>${COORDINATE}),(?<mlon>${COORDINATE})$`),
    mlat: new RegExp(`^(?<mlat>${COORDINATE})$`),
    mlon: new RegExp(`^(?<mlon>${COORDINATE})$`),
  },
  frame: '/export/embed.html?bbox={bbox}&layer={layer}&marker={mlat},{mlon}',
  page: 'https://www.openstreetmap.org/?bbox={bbox}&mlat={mlat}&mlon={mlon}',
};
const BBOX = { bbox: new RegExp(`^(?<bbox>${COORDINATE}(?:,${COORDINATE}){3})$`) };
const PLACE = { frame: '/maps?q={q}&output=embed', page: 'https://www.google.com/maps/search/?api=1&query={q}' };
const PLACE_NAME = /^(?<q>.+)$/s;

/** All providers of frames. The first form that a URL has decides. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'YouTube',
    hosts: ['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtube-nocookie.com', 'youtu.be'],
    frameOrigin: 'https://www.youtube-nocookie.com',
    autoplay: 'autoplay=1',
    size: VIDEO,
    forms: [
      {
        path: /^\/(?:playlist|embed\/videoseries)\/?$/,
        query: { list: /^(?<list>[\w-]{2,60})$/ },
        frame: '/embed/videoseries?list={list}',
        page: 'https://www.youtube.com/playlist?list={list}',
      },
      { path: /^\/embed\/live_stream\/?$/, query: { channel: /^(?<channel>UC[\w-]{22})$/ }, ...LIVE_VIDEO },
      { path: /^\/channel\/(?<channel>UC[\w-]{22})\/live\/?$/, ...LIVE_VIDEO },
      { path: /^\/shorts\/(?<id>[\w-]{11})(?:\/|$)/, ...VIDEO_OF_YOUTUBE, size: PORTRAIT },
      { path: new RegExp(`^/(?:embed|live|v|e)/${VIDEO_ID}(?:/|$)`), ...VIDEO_OF_YOUTUBE },
      { host: 'youtu.be', path: /^\/(?<id>[\w-]{11})(?:\/|$)/, ...VIDEO_OF_YOUTUBE },
      { path: /^\/watch\/?$/, query: { v: /^(?<id>[\w-]{11})$/ }, ...VIDEO_OF_YOUTUBE },
    ],
  },
  {
    name: 'Vimeo',
    hosts: ['vimeo.com', 'player.vimeo.com'],
    frameOrigin: 'https://player.vimeo.com',
    autoplay: 'autoplay=1',
    size: VIDEO,
    forms: [
      { path: new RegExp(`${VIDEO_OF_VIMEO}/(?<h>[\\da-f]{6,40})/?$`), ...UNLISTED_OF_VIMEO },
      { path: new RegExp(`${VIDEO_OF_VIMEO}/?$`), query: { h: /^(?<h>[\da-f]{6,40})$/ }, ...UNLISTED_OF_VIMEO },
      {
        path: new RegExp(`${VIDEO_OF_VIMEO}/?$`),
        values: findStart,
        frame: '/video/{id}?dnt=1#t={start}s',
        page: 'https://vimeo.com/{id}#t={start}s',
      },
    ],
  },
  {
    name: 'Vimeo',
    hosts: ['vimeo.com'],
    frameOrigin: 'https://vimeo.com',
    size: VIDEO,
    forms: [
      {
        path: /^\/(?<id>(?:showcase|event)\/\d{1,12})(?:\/embed)?\/?$/,
        frame: '/{id}/embed',
        page: 'https://vimeo.com/{id}',
      },
    ],
  },
  {
    name: 'Spotify',
    hosts: ['open.spotify.com', 'play.spotify.com'],
    frameOrigin: 'https://open.spotify.com',
    size: recording(352),
    forms: [
      {
        path: /^\/embed/,
        query: { uri: /(?:^|:)(?<kind>track|episode):(?<id>[\dA-Za-z]{10,40})$/ },
        ...SPOTIFY,
        size: recording(152),
      },
      {
        path: /^\/embed/,
        query: { uri: /(?:^|:)(?<kind>album|artist|playlist|show):(?<id>[\dA-Za-z]{10,40})$/ },
        ...SPOTIFY,
      },
      { path: /\/(?<kind>track|episode)\/(?<id>[\dA-Za-z]{10,40})\/?$/, ...SPOTIFY, size: recording(152) },
      { path: /\/(?<kind>album|artist|playlist|show)\/(?<id>[\dA-Za-z]{10,40})\/?$/, ...SPOTIFY },
    ],
  },
  {
    name: 'SoundCloud',
    hosts: ['soundcloud.com', 'm.soundcloud.com', 'w.soundcloud.com'],
    frameOrigin: 'https://w.soundcloud.com',
    autoplay: 'auto_play=true',
    size: recording(166),
    // its API does not tell the page of a number
    forms: [
      {
        ...SOUNDCLOUD_FRAME,
        query: { url: /^https?:\/\/api\.soundcloud\.com(?<path>\/tracks\/[\w:%]+)/ },
        ...SONG_NUMBER,
      },
      {
        ...SOUNDCLOUD_FRAME,
        query: { url: /^https?:\/\/api\.soundcloud\.com(?<path>\/playlists\/[\w:%]+)/ },
        ...SONG_NUMBER,
        size: recording(450),
      },
      {
        ...SOUNDCLOUD_FRAME,
        query: {
          url: /^https?:\/\/(?:www\.|m\.)?soundcloud\.com(?<path>\/[\w-]+\/sets\/[\w-]+(?:\/s-\w+)?)\/?(?:\?|$)/,
        },
        ...SONG,
        size: recording(450),
      },
      {
        ...SOUNDCLOUD_FRAME,
        query: { url: /^https?:\/\/(?:www\.|m\.)?soundcloud\.com(?<path>\/[\w-]+\/[\w-]+(?:\/s-\w+)?)\/?(?:\?|$)/ },
        ...SONG,
      },
      { path: /^(?<path>\/[\w-]+\/sets\/[\w-]+(?:\/s-\w+)?)\/?$/, ...SONG, size: recording(450) },
      {
        path: new RegExp(`^(?<path>/(?!${PAGES_OF_SOUNDCLOUD})[\\w-]+/(?!${LISTS_OF_ARTIST})[\\w-]+(?:/s-\\w+)?)/?$`),
        ...SONG,
      },
    ],
  },
  {
    name: 'CodePen',
    hosts: ['codepen.io'],
    frameOrigin: 'https://codepen.io',
    size: recording(480),
    forms: [
      {
        path: /^\/(?<user>(?:team\/)?[\w-]{1,60})\/(?:pen|embed(?:\/preview)?|full|details)\/(?<pen>[\w-]{4,60})\/?$/,
        values: ({ searchParams }) => ({
          tab: /^[a-z,]{2,30}$/.exec(searchParams.get('default-tab') ?? '')?.[0] ?? 'result',
        }),
        frame: '/{user}/embed/{pen}?default-tab={tab}',
        page: 'https://codepen.io/{user}/pen/{pen}',
      },
    ],
  },
  {
    name: 'OpenStreetMap',
    hosts: ['openstreetmap.org'],
    frameOrigin: 'https://www.openstreetmap.org',
    size: PICTURE,
    forms: [
      { path: /^\/(?:export\/embed\.html)?$/, query: BBOX, ...MAP_BOX },
      { path: /^\/$/, values: ({ hash }) => ({ bbox: boxAround(hash, PICTURE) }), ...MAP_BOX },
    ],
  },
  {
    name: 'Google Maps',
    hosts: ['google.com', 'maps.google.com', 'google.*', 'maps.google.*'],
    frameOrigin: 'https://www.google.com',
    size: PICTURE,
    forms: [
      {
        path: /^\/maps\/embed\/?$/,
        query: { pb: new RegExp(`^(?<pb>.*!2d(?<longitude>${COORDINATE})!3d(?<latitude>${COORDINATE}).*)$`, 's') },
        frame: '/maps/embed?pb={pb}',
        page: 'https://www.google.com/maps/search/?api=1&query={latitude},{longitude}',
      },
      {
        path: /^\/maps\/d(?:\/u\/\d)?\/(?:embed|viewer)\/?$/,
        query: { mid: /^(?<mid>.+)$/s },
        frame: '/maps/d/embed?mid={mid}',
        page: 'https://www.google.com/maps/d/viewer?mid={mid}',
      },
      {
        path: /^\/maps\/embed\/v1\/(?:place|search)\/?$/,
        query: { q: PLACE_NAME, key: /^(?<key>.+)$/s },
        ...PLACE,
        frame: '/maps/embed/v1/place?key={key}&q={q}',
      },
      { path: /^\/maps(?:\/embed\/v1\/(?:place|search))?\/?$/, query: { q: PLACE_NAME }, ...PLACE },
      { host: 'maps.google.com', path: /^\/$/, query: { q: PLACE_NAME }, ...PLACE },
      { host: 'maps.google.*', path: /^\/$/, query: { q: PLACE_NAME }, ...PLACE },
      { path: /^\/maps\/search\/?$/, query: { query: PLACE_NAME }, ...PLACE },
      {
        path: /^\/maps\/place\/[^/@]/,
        values: ({ pathname }) => ({ q: decodeWords(pathname.split('/')[3]) }),
        ...PLACE,
      },
      { path: new RegExp(`^/maps/@(?<q>${COORDINATE},${COORDINATE})`), ...PLACE },
    ],
  },
  {
    name: 'Loom',
    hosts: ['loom.com'],
    frameOrigin: 'https://www.loom.com',
    autoplay: 'autoplay=1',
    size: VIDEO,
    forms: [
      {
        path: /^\/(?:share|embed)\/(?:[\w-]{1,100}-)?(?<id>[\da-f]{32})\/?$/,
        values: findStart,
        frame: '/embed/{id}?t={start}',
        page: 'https://www.loom.com/share/{id}?t={start}',
      },
    ],
  },
  {
    name: 'TED',
    hosts: ['ted.com', 'embed.ted.com', 'embed-ssl.ted.com'],
    frameOrigin: 'https://embed.ted.com',
    size: VIDEO,
    forms: [
      {
        path: /^\/talks\/(?<id>(?:lang\/[\w-]{2,10}\/)?[\da-z]{1,50}_\w{1,150})(?:\.html)?\/?$/i,
        frame: '/talks/{id}',
        page: 'https://www.ted.com/talks/{id}',
      },
    ],
  },
  {
    name: 'Twitch',
    hosts: ['twitch.tv', 'm.twitch.tv', 'player.twitch.tv'],
    // the script of the embed puts the names of all framing hosts for `*`
    frameOrigin: 'https://player.twitch.tv',
    size: VIDEO,
    forms: [
      { path: /^\/(?:videos|\w{3,25}\/v(?:ideo)?)\/(?<id>\d{1,15})\/?$/, ...VIDEO_OF_TWITCH },
      {
        host: 'player.twitch.tv',
        path: /^\/$/,
        query: { video: /^v?(?<id>\d{1,15})$/ },
        ...VIDEO_OF_TWITCH,
      },
      {
        host: 'player.twitch.tv',
        path: /^\/$/,
        query: { channel: /^(?<channel>\w{3,25})$/ },
        ...CHANNEL_OF_TWITCH,
      },
      {
        path: /^\/(?!(?:activate|bits|directory|downloads|drops|friends|inventory|jobs|login|prime|search|settings|signup|store|subscriptions|turbo|videos|wallet)\/?$)(?<channel>\w{3,25})\/?$/,
        ...CHANNEL_OF_TWITCH,
      },
    ],
  },
  {
    name: 'Twitch',
    hosts: ['clips.twitch.tv', 'twitch.tv', 'm.twitch.tv'],
    frameOrigin: 'https://clips.twitch.tv',
    size: VIDEO,
    forms: [
      { path: /^\/\w{3,25}\/clip\/(?<clip>[\w-]{4,100})\/?$/, ...CLIP },
      { host: 'clips.twitch.tv', path: /^\/embed\/?$/, query: { clip: /^(?<clip>[\w-]{4,100})$/ }, ...CLIP },
      { host: 'clips.twitch.tv', path: /^\/(?!embed\/?$)(?<clip>[\w-]{4,100})\/?$/, ...CLIP },
    ],
  },
  {
    name: 'Dailymotion',
    hosts: ['dailymotion.com', 'geo.dailymotion.com', 'dai.ly'],
    frameOrigin: 'https://geo.dailymotion.com',
    size: VIDEO,
    forms: [
      {
        path: /^\/(?:embed\/)?video\/(?<id>[\dA-Za-z]{5,20})(?:_[^/]*)?\/?$/,
        ...VIDEO_OF_DAILYMOTION,
      },
      {
        host: 'dai.ly',
        path: /^\/(?<id>[\dA-Za-z]{5,20})\/?$/,
        ...VIDEO_OF_DAILYMOTION,
      },
      {
        host: 'geo.dailymotion.com',
        path: /^\/player(?:\/\w{1,20})?\.html$/,
        query: { video: /^(?<id>[\dA-Za-z]{5,20})$/ },
        ...VIDEO_OF_DAILYMOTION,
      },
    ],
  },
  {
    name: 'Wistia',
    hosts: ['.wistia.com', 'fast.wistia.net'],
    frameOrigin: 'https://fast.wistia.net',
    autoplay: 'autoPlay=true',
    size: VIDEO,
    forms: [
      {
        path: /^\/(?:medias|embed\/(?:iframe|medias))\/(?<id>[\da-z]{10})\/?$/,
        frame: '/embed/iframe/{id}',
      },
    ],
  },
  {
    name: 'Streamable',
    hosts: ['streamable.com'],
    frameOrigin: 'https://streamable.com',
    autoplay: 'autoplay=1',
    size: VIDEO,
    forms: [
      {
        path: /^\/(?:[eos]\/)?(?!(?:about|account|careers|clipper|contact|features|history|library|login|logout|pricing|privacy|settings|signup|support|terms|upload|videos)\/?$)(?<id>[\da-z]{5,8})\/?$/,
        frame: '/e/{id}',
        page: 'https://streamable.com/{id}',
      },
    ],
  },
  {
    name: 'TikTok',
    hosts: ['tiktok.com', 'm.tiktok.com'],
    frameOrigin: 'https://www.tiktok.com',
    autoplay: 'autoplay=1',
    size: PORTRAIT,
    forms: [
      {
        path: /^\/(?:@(?<user>[\w.-]{1,40})\/video|embed(?:\/v[23])?|player\/v1|v)\/(?<id>\d{10,25})(?:\.html)?\/?$/,
        frame: '/player/v1/{id}',
        page: 'https://www.tiktok.com/@{user}/video/{id}',
      },
    ],
  },
  {
    name: 'Bandcamp',
    hosts: ['bandcamp.com'],
    frameOrigin: 'https://bandcamp.com',
    size: recording(120),
    forms: [
      {
        path: /^\/EmbeddedPlayer\/(?:\w+=\w*\/){0,9}(?<item>(?:album|track)=\d{1,12})(?:\/|$)/,
        frame: '/EmbeddedPlayer/{item}/size=large/artwork=small/tracklist=false/',
      },
    ],
  },
  {
    name: 'Apple Podcasts',
    hosts: ['podcasts.apple.com', 'embed.podcasts.apple.com'],
    frameOrigin: 'https://embed.podcasts.apple.com',
    size: recording(450),
    forms: [
      {
        path: /^(?<path>\/[a-z]{2}\/podcast\/(?:[^/]{1,200}\/)?id\d{5,12})\/?$/,
        query: { i: /^(?<i>\d{5,15})$/ },
        frame: '{path}?i={i}',
        page: 'https://podcasts.apple.com{path}?i={i}',
        size: recording(175),
      },
      {
        path: /^(?<path>\/[a-z]{2}\/podcast\/(?:[^/]{1,200}\/)?id\d{5,12})\/?$/,
        frame: '{path}',
        page: 'https://podcasts.apple.com{path}',
      },
    ],
  },
  {
    name: 'Apple Music',
    hosts: ['music.apple.com', 'embed.music.apple.com'],
    frameOrigin: 'https://embed.music.apple.com',
    size: recording(450),
    forms: [
      {
        path: /^(?<path>\/[a-z]{2}\/(?:album|playlist|song)\/(?:[^/]{1,200}\/)?[\w.-]{5,50})\/?$/,
        options: { i: /^(?<i>\d{5,15})$/ },
        frame: '{path}?i={i}',
        page: 'https://music.apple.com{path}?i={i}',
      },
    ],
  },
  {
    name: 'Mixcloud',
    hosts: ['mixcloud.com', 'player-widget.mixcloud.com'],
    frameOrigin: 'https://player-widget.mixcloud.com',
    size: recording(120),
    forms: [
      {
        path: /^\/widget\/iframe\/?$/,
        query: { feed: /^(?:https:\/\/www\.mixcloud\.com)?(?<feed>\/[\w-]{1,100}\/[\w-]{1,200}\/)$/ },
        frame: '/widget/iframe/?feed={feed}',
        page: 'https://www.mixcloud.com{feed}',
      },
      {
        path: /^(?<feed>\/(?!(?:categories|competitions|developers|discover|genres|live|search|select|tag|upload|widget)\/)[\w-]{1,100}\/(?!(?:favorites|followers|following|listens|playlists|stream|uploads)\/)[\w-]{1,200}\/)$/,
        frame: '/widget/iframe/?feed={feed}',
        page: 'https://www.mixcloud.com{feed}',
      },
    ],
  },
  {
    name: 'Deezer',
    hosts: ['deezer.com', 'widget.deezer.com'],
    frameOrigin: 'https://widget.deezer.com',
    size: recording(300),
    forms: [
      {
        path: /^\/(?:widget\/\w{2,10}\/|[a-z]{2}\/)?(?<item>(?:track|album|playlist|show|episode)\/\d{1,15})\/?$/,
        frame: '/widget/auto/{item}',
        page: 'https://www.deezer.com/{item}',
      },
    ],
  },
  {
    name: 'Figma',
    hosts: ['figma.com', 'embed.figma.com'],
    frameOrigin: 'https://embed.figma.com',
    size: PICTURE,
    forms: [
      {
        path: /^\/embed\/?$/,
        query: { url: /^https:\/\/(?:www\.)?figma\.com\/(?:file|design)\/(?<id>\w{10,40})(?:\/|\?|$)/ },
        frame: '/design/{id}?embed-host=share',
        page: 'https://www.figma.com/design/{id}',
      },
      {
        path: /^\/embed\/?$/,
        query: {
          url: /^https:\/\/(?:www\.)?figma\.com\/(?<kind>proto|board|slides|deck)\/(?<id>\w{10,40})(?:\/|\?|$)/,
        },
        frame: '/{kind}/{id}?embed-host=share',
        page: 'https://www.figma.com/{kind}/{id}',
      },
      {
        path: /^\/(?:file|design)\/(?<id>\w{10,40})(?:\/|$)/,
        options: { 'node-id': /^(?<node>[\w:-]{1,30})$/ },
        frame: '/design/{id}?node-id={node}&embed-host=share',
        page: 'https://www.figma.com/design/{id}?node-id={node}',
      },
      {
        path: /^\/(?<kind>proto|board|slides|deck)\/(?<id>\w{10,40})(?:\/|$)/,
        options: { 'node-id': /^(?<node>[\w:-]{1,30})$/ },
        frame: '/{kind}/{id}?node-id={node}&embed-host=share',
        page: 'https://www.figma.com/{kind}/{id}?node-id={node}',
      },
    ],
  },
  {
    name: 'Miro',
    hosts: ['miro.com'],
    frameOrigin: 'https://miro.com',
    size: PICTURE,
    forms: [
      {
        path: /^\/app\/(?:board|live-embed|embed)\/(?<id>[\w-]{8,30}={0,2})\/?$/,
        frame: '/app/live-embed/{id}/',
        page: 'https://miro.com/app/board/{id}/',
      },
    ],
  },
  {
    name: 'Typeform',
    hosts: ['.typeform.com'],
    frameOrigin: 'https://form.typeform.com',
    size: FORM,
    forms: [{ path: /^\/to\/(?<id>[\dA-Za-z]{4,30})\/?$/, frame: '/to/{id}' }],
  },
  {
    name: 'Airtable',
    hosts: ['airtable.com'],
    frameOrigin: 'https://airtable.com',
    size: FORM,
    forms: [
      {
        path: /^\/(?:embed\/)?(?<id>(?:app\w{14}\/)?(?:shr\w{14}|pag\w{14}\/form)(?:\/tbl\w{14}(?:\/viw\w{14})?)?)\/?$/,
        frame: '/embed/{id}',
        page: 'https://airtable.com/{id}',
      },
    ],
  },
  {
    name: 'Calendly',
    hosts: ['calendly.com'],
    frameOrigin: 'https://calendly.com',
    hasText: true,
    size: FORM,
    forms: [
      {
        path: /^\/(?!(?:about|app|blog|event_types|features|for|help|integrations|legal|login|resources|settings|signup|solutions|stories|users)\/)(?<id>(?:d\/)?[\w.-]{1,60}\/[\w.-]{1,100})\/?$/,
        frame: '/{id}?embed_type=Inline',
        page: 'https://calendly.com/{id}',
      },
    ],
  },
  {
    name: 'Google Docs',
    hosts: ['docs.google.com'],
    frameOrigin: 'https://docs.google.com',
    hasText: true,
    size: FORM,
    forms: [
      {
        path: /^\/forms\/d\/(?<id>(?:e\/)?[\w-]{20,120})\/(?:view|edit)?form\/?$/,
        frame: '/forms/d/{id}/viewform?embedded=true',
        page: 'https://docs.google.com/forms/d/{id}/viewform',
      },
      {
        path: /^\/presentation\/d\/(?<id>(?:e\/)?[\w-]{20,120})(?:\/|$)/,
        frame: '/presentation/d/{id}/embed',
        size: VIDEO,
      },
      {
        path: /^\/spreadsheets\/d\/e\/(?<id>[\w-]{20,120})\/pubchart\/?$/,
        query: { oid: /^(?<oid>\d{1,15})$/ },
        frame: '/spreadsheets/d/e/{id}/pubchart?oid={oid}&format=interactive',
        size: PICTURE,
      },
      {
        path: /^\/spreadsheets\/d\/e\/(?<id>[\w-]{20,120})\/pub(?:html)?\/?$/,
        query: { gid: /^(?<gid>\d{1,15})$/ },
        options: { single: /^(?<single>true)$/, range: /^(?<range>[\w:!$]{2,60})$/ },
        frame: '/spreadsheets/d/e/{id}/pubhtml?gid={gid}&single={single}&range={range}&widget=true&headers=false',
      },
      {
        path: /^\/(?<kind>document|spreadsheets)\/d\/e\/(?<id>[\w-]{20,120})(?:\/|$)/,
        frame: '/{kind}/d/e/{id}/pub?embedded=true',
      },
      { path: /^\/(?<kind>document|spreadsheets)\/d\/(?<id>[\w-]{20,120})(?:\/|$)/, frame: '/{kind}/d/{id}/preview' },
    ],
  },
  {
    name: 'Google Calendar',
    hosts: ['calendar.google.com', 'google.com'],
    frameOrigin: 'https://calendar.google.com',
    size: FORM,
    forms: [
      {
        path: /^\/calendar\/(?:u\/\d\/)?embed\/?$/,
        query: { src: /^(?<src>[\w.@#%+-]{3,200})$/ },
        options: { ctz: /^(?<ctz>[\w/+-]{2,60})$/, mode: /^(?<mode>week|month|agenda)$/i },
        frame: '/calendar/embed?src={src}&ctz={ctz}&mode={mode}',
      },
    ],
  },
  {
    name: 'Google Drive',
    hosts: ['drive.google.com'],
    frameOrigin: 'https://drive.google.com',
    size: PICTURE,
    forms: [
      {
        path: /^\/file\/d\/(?<id>[\w-]{20,120})(?:\/(?:view|preview|edit))?\/?$/,
        frame: '/file/d/{id}/preview',
        page: 'https://drive.google.com/file/d/{id}/view',
      },
    ],
  },
  {
    name: 'CodeSandbox',
    hosts: ['codesandbox.io'],
    frameOrigin: 'https://codesandbox.io',
    size: recording(480),
    forms: [
      {
        path: /^\/(?:s|embed|p\/sandbox)\/(?<id>[\w-]{5,150}|github\/[\w.-]{1,60}\/[\w.-]{1,100}(?:\/tree\/[\w./-]{1,200})?)\/?$/,
        frame: '/embed/{id}',
        page: 'https://codesandbox.io/s/{id}',
      },
    ],
  },
  {
    name: 'StackBlitz',
    hosts: ['stackblitz.com'],
    frameOrigin: 'https://stackblitz.com',
    size: recording(480),
    forms: [
      {
        path: /^\/(?<id>edit\/[\w-]{3,100}|github\/[\w.-]{1,60}\/[\w.-]{1,100}(?:\/tree\/[\w./-]{1,200})?)\/?$/,
        options: { file: /^(?<file>[\w./-]{1,200})$/ },
        frame: '/{id}?file={file}&embed=1',
        page: 'https://stackblitz.com/{id}?file={file}',
      },
    ],
  },
  {
    name: 'JSFiddle',
    hosts: ['jsfiddle.net'],
    frameOrigin: 'https://jsfiddle.net',
    size: recording(480),
    forms: [
      {
        path: /^\/(?<id>(?:\w{1,40}\/)?[\da-z]{8}(?:\/\d{1,4})?)(?:\/embedded(?:\/[\w,]{1,40})*|\/show)?\/?$/,
        frame: '/{id}/embedded/',
        page: 'https://jsfiddle.net/{id}/',
      },
    ],
  },
  {
    name: 'GitHub Gist',
    hosts: ['gist.github.com'],
    frameOrigin: 'https://gist.github.com',
    hasText: true,
    size: recording(480),
    forms: [
      {
        path: /^\/(?<id>[\w-]{1,40}\/(?:[\da-f]{20}|[\da-f]{32})(?:\/[\da-f]{40})?|[\da-f]{32})(?:\.(?:js|pibb))?\/?$/,
        frame: '/{id}.pibb',
        page: 'https://gist.github.com/{id}',
      },
    ],
  },
  {
    name: 'Flickr',
    hosts: ['flickr.com'],
    frameOrigin: 'https://www.flickr.com',
    size: PICTURE,
    forms: [
      {
        path: /^\/photos\/(?<id>[\w@-]{1,60}\/\d{5,15})(?:\/(?:player|in)\b[^?#]{0,100})?\/?$/,
        frame: '/photos/{id}/player/',
        page: 'https://www.flickr.com/photos/{id}/',
      },
    ],
  },
  {
    name: 'Sketchfab',
    hosts: ['sketchfab.com'],
    frameOrigin: 'https://sketchfab.com',
    autoplay: 'autostart=1',
    size: PICTURE,
    forms: [
      {
        path: /^\/(?:3d-models\/(?:[\w-]{1,200}-)?|models\/)(?<id>[\da-f]{32})(?:\/embed)?\/?$/,
        frame: '/models/{id}/embed',
        page: 'https://sketchfab.com/models/{id}',
      },
    ],
  },
  {
    name: 'Datawrapper',
    hosts: ['datawrapper.dwcdn.net'],
    frameOrigin: 'https://datawrapper.dwcdn.net',
    size: PICTURE,
    forms: [{ path: /^\/(?<id>[\dA-Za-z]{5})(?:\/\d{1,4})?(?:\/(?:index\.html)?)?$/, frame: '/{id}/' }],
  },
  {
    name: 'Flourish',
    hosts: ['flo.uri.sh', 'public.flourish.studio'],
    frameOrigin: 'https://flo.uri.sh',
    size: PICTURE,
    forms: [
      {
        path: /^\/(?<id>(?:visualisation|story)\/\d{1,12})(?:\/embed)?\/?$/,
        frame: '/{id}/embed',
        page: 'https://public.flourish.studio/{id}/',
      },
    ],
  },
];

/** A provider whose posts are shown as quotes with their authors, without a frame. */
export interface PostProvider {
  readonly name: string;
  /** Without `www.`; empty for a program that runs on many hosts. */
  readonly hosts: readonly string[];
  /** The paths of posts. */
  readonly path: RegExp;
  /** The class of the `blockquote` by which other pages quote a post. */
  readonly quote: string;
  /** The oEmbed endpoint for the URL of a post; null if it needs a key, or pages announce it. */
  readonly oembed: string | null;
}

export const POST_PROVIDERS: readonly PostProvider[] = [
  {
    name: 'X',
    hosts: ['x.com', 'mobile.x.com', 'twitter.com', 'mobile.twitter.com'],
    path: /^\/\w{1,15}(?:\/web)?\/status(?:es)?\/\d{1,25}(?:\/|$)/,
    quote: 'twitter-tweet',
    oembed: 'https://publish.x.com/oembed?omit_script=true&dnt=true&url=',
  },
  {
    name: 'Bluesky',
    hosts: ['bsky.app'],
    path: /^\/profile\/[\w.:-]{1,100}\/post\/\w{1,30}\/?$/,
    quote: 'bluesky-embed',
    oembed: 'https://embed.bsky.app/oembed?url=',
  },
  {
    name: 'Reddit',
    hosts: ['reddit.com', 'old.reddit.com'],
    path: /^\/r\/\w{1,30}\/comments\/\w{1,15}(?:\/|$)/,
    quote: 'reddit-embed-bq',
    oembed: 'https://www.reddit.com/oembed?url=',
  },
  {
    name: 'Instagram',
    hosts: ['instagram.com'],
    path: /^\/(?:[\w.]{1,40}\/)?(?:p|reel|tv)\/[\w-]{5,40}(?:\/|$)/,
    quote: 'instagram-media',
    oembed: null,
  },
  {
    name: 'Threads',
    hosts: ['threads.net', 'threads.com'],
    path: /^\/@[\w.]{1,40}\/post\/[\w-]{5,40}(?:\/|$)/,
    quote: 'text-post-media',
    oembed: null,
  },
  {
    name: 'Mastodon',
    hosts: [],
    path: /^\/@\w{1,60}(?:@[\w.-]{1,100})?\/\d{5,25}\/?$/,
    quote: 'mastodon-embed',
    oembed: null,
  },
];
