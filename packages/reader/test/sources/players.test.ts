import { expect, test } from 'vitest';
import { PROVIDERS } from '../../src/players/providers.ts';
import { FRAME_ORIGINS, findPlayer, findPostDescription } from '../../src/players.ts';

const VIDEO = {
  provider: 'YouTube',
  pageUrl: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  frameUrl: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  playUrl: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1',
  posterUrl: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
  width: 1280,
  height: 720,
};
const videoAt = (seconds: number) => ({
  pageUrl: `https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=${seconds}s`,
  frameUrl: `https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=${seconds}`,
  playUrl: `https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=${seconds}&autoplay=1`,
});
const AT_90 = videoAt(90);
const PLAYLIST = {
  pageUrl: 'https://www.youtube.com/playlist?list=PL0123456789',
  frameUrl: 'https://www.youtube-nocookie.com/embed/videoseries?list=PL0123456789',
  posterUrl: null,
};
const VIMEO = { pageUrl: 'https://vimeo.com/76979871', frameUrl: 'https://player.vimeo.com/video/76979871?dnt=1' };
const UNLISTED = {
  pageUrl: 'https://vimeo.com/76979871/8272103f6e',
  frameUrl: 'https://player.vimeo.com/video/76979871?h=8272103f6e&dnt=1',
};
const TRACK = {
  pageUrl: 'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
  playUrl: 'https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC',
  height: 152,
};
const SECRET_SONG = 'https://soundcloud.com/ada/song/s-AbC12';
const API_TRACK = { pageUrl: 'https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F293' };
const penWith = (tab: string) => ({ frameUrl: `https://codepen.io/ada/embed/AbCdEf?default-tab=${tab}` });
const OSM_FRAME = 'https://www.openstreetmap.org/export/embed.html?bbox=1%2C2%2C3%2C4';
const PARIS = { frameUrl: 'https://www.google.com/maps?q=Paris&output=embed' };
const PARIS_WITH_KEY = { frameUrl: 'https://www.google.com/maps/embed/v1/place?key=K&q=Paris' };
const PEN = {
  pageUrl: 'https://codepen.io/ada/pen/AbCdEf',
  frameUrl: 'https://codepen.io/ada/embed/AbCdEf?default-tab=result',
};
const BOX = '-0.1%2C51.4%2C0.1%2C51.6';

const LOOM_ID = '0123456789abcdef0123456789abcdef';
const GIST = 'https://gist.github.com/ada/0123456789abcdef0123';
const REVISION = '0123456789abcdef0123456789abcdef01234567';
const DOCUMENT_ID = '1aBcDeFgHiJkLmNoPqRsTuVwXyZ';
const framed = (provider: string, frameUrl: string, more = {}) => ({ provider, frameUrl, ...more });
const TWITCH = framed('Twitch', 'https://player.twitch.tv/?video=123456&parent=*');
const TWITCH_LATER = framed('Twitch', 'https://player.twitch.tv/?video=123456&parent=*&time=3723s');
const CLIP = framed('Twitch', 'https://clips.twitch.tv/embed?clip=FunnyLoaf-abc&parent=*');
const CHANNEL = 'UC0123456789abcdefghijkl';
const LIVE = {
  pageUrl: `https://www.youtube.com/channel/${CHANNEL}/live`,
  frameUrl: `https://www.youtube-nocookie.com/embed/live_stream?channel=${CHANNEL}`,
};
const VIMEO_LATER = {
  frameUrl: `${VIMEO.frameUrl}#t=30s`,
  playUrl: `${VIMEO.frameUrl}&autoplay=1#t=30s`,
  pageUrl: `${VIMEO.pageUrl}#t=30s`,
};
const SHEET = `https://docs.google.com/spreadsheets/d/e/${DOCUMENT_ID}`;
const CALENDAR = 'https://calendar.google.com/calendar/embed?src=ada%40baker.example&ctz=Europe%2FBerlin';
const DAILYMOTION = framed('Dailymotion', 'https://geo.dailymotion.com/player.html?video=x8abcd', {
  pageUrl: 'https://www.dailymotion.com/video/x8abcd',
});
const DESIGN = framed('Figma', 'https://embed.figma.com/design/aBcDeFgHiJkL0123?embed-host=share');
const FIDDLE = framed('JSFiddle', 'https://jsfiddle.net/ada/abcd1234/embedded/');

/** A URL of each form of each provider. */
const FIXTURES: readonly (readonly [url: string, player: object])[] = [
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&feature=share', VIDEO],
  ['http://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ', VIDEO],
  ['https://youtu.be/dQw4w9WgXcQ?si=abc', VIDEO],
  ['https://youtu.be/dQw4w9WgXcQ?t=1m30s', AT_90],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ?start=90&autoplay=1', AT_90],
  ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90', AT_90],
  ...['2m', '120', '0h2m', '120s'].map((time) => [`https://youtu.be/dQw4w9WgXcQ?t=${time}`, videoAt(120)] as const),
  ['https://youtu.be/dQw4w9WgXcQ?t=12h100m3s', videoAt(49_203)],
  ...['x1m', '1mx', 'ah', '0', '123h', '-1'].map((time) => [`https://youtu.be/dQw4w9WgXcQ?t=${time}`, VIDEO] as const),
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL0123456789', VIDEO],
  ['https://www.youtube.com/live/dQw4w9WgXcQ', VIDEO],
  ['https://www.youtube.com/v/dQw4w9WgXcQ', VIDEO],
  ['https://www.youtube.com/shorts/dQw4w9WgXcQ', { ...VIDEO, width: 405, height: 720 }],
  ['https://www.youtube.com/playlist?list=PL0123456789', PLAYLIST],
  ['https://www.youtube.com/embed/videoseries?list=PL0123456789', PLAYLIST],
  ['https://youtu.be/dQw4w9WgXcQ#t=90', AT_90],
  [`https://www.youtube.com/embed/live_stream?channel=${CHANNEL}`, LIVE],
  ['https://vimeo.com/76979871', VIMEO],
  ['https://vimeo.com/76979871#t=30s', VIMEO_LATER],
  ['https://vimeo.com/showcase/12345/video/76979871', VIMEO],
  ['https://vimeo.com/showcase/12345/embed', framed('Vimeo', 'https://vimeo.com/showcase/12345/embed')],
  ['https://vimeo.com/event/12345', framed('Vimeo', 'https://vimeo.com/event/12345/embed')],
  ['https://vimeo.com/channels/staffpicks/76979871', VIMEO],
  ['https://vimeo.com/groups/ada-1/videos/76979871', VIMEO],
  ['https://player.vimeo.com/video/76979871?h=-8272103f6e', VIMEO],
  ['https://player.vimeo.com/video/76979871?h=8272103f6e-', VIMEO],
  ['https://player.vimeo.com/video/76979871?title=0', VIMEO],
  ['https://player.vimeo.com/video/76979871?h=8272103f6e', UNLISTED],
  ['https://vimeo.com/76979871/8272103f6e', UNLISTED],
  ['https://open.spotify.com/intl-de/track/4uLU6hMCjMI75M1A2tKUQC?si=1', TRACK],
  ['https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC', TRACK],
  ['https://open.spotify.com/embed?uri=spotify:track:4uLU6hMCjMI75M1A2tKUQC', TRACK],
  ['https://open.spotify.com/embed/?uri=track:4uLU6hMCjMI75M1A2tKUQC', TRACK],
  [
    'https://open.spotify.com/album/trackepisode0?uri=spotify:track:4uLU6hMCjMI75M1A2tKUQC',
    { pageUrl: 'https://open.spotify.com/album/trackepisode0', height: 352 },
  ],
  ['https://open.spotify.com/embed-podcast/show/4uLU6hMCjMI75M1A2tKUQC', { height: 352 }],
  [
    'https://soundcloud.com/ada/song?in=x',
    {
      pageUrl: 'https://soundcloud.com/ada/song',
      frameUrl: 'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fada%2Fsong',
      height: 166,
    },
  ],
  [
    'https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/ada/sets/songs&color=ff5500',
    { pageUrl: 'https://soundcloud.com/ada/sets/songs', height: 450 },
  ],
  ['https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/293&auto_play=true', API_TRACK],
  ['https://w.soundcloud.com/player/?url=http%3A//api.soundcloud.com/tracks/293', API_TRACK],
  [SECRET_SONG, { pageUrl: SECRET_SONG }],
  ['https://w.soundcloud.com/player/?url=http%3A//soundcloud.com/ada/song/s-AbC12', { pageUrl: SECRET_SONG }],
  ['https://codepen.io/ada/pen/AbCdEf?default-tab=html,css', penWith('html%2Ccss')],
  ['https://codepen.io/ada/pen/AbCdEf?default-tab=1html', penWith('result')],
  ['https://codepen.io/ada/pen/AbCdEf?default-tab=html1', penWith('result')],
  ['https://codepen.io/ada/pen/AbCdEf', PEN],
  ['https://codepen.io/ada/embed/preview/AbCdEf?height=300', PEN],
  [
    'https://www.openstreetmap.org/export/embed.html?bbox=-0.1%2C51.4%2C0.1%2C51.6&layer=mapnik&marker=51.5%2C0',
    {
      frameUrl: `https://www.openstreetmap.org/export/embed.html?bbox=${BOX}&layer=mapnik&marker=51.5%2C0`,
      pageUrl: `https://www.openstreetmap.org/?bbox=${BOX}&mlat=51.5&mlon=0`,
    },
  ],
  [
    'https://www.openstreetmap.org/?mlat=51.5&mlon=0#map=10/51.5/0',
    {
      frameUrl:
        'https://www.openstreetmap.org/export/embed.html?bbox=-0.43945%2C51.29483%2C0.43945%2C51.70517&marker=51.5%2C0',
    },
  ],
  ['https://www.openstreetmap.org/?bbox=1,2,3,4&layer=-mapnik', { frameUrl: OSM_FRAME }],
  ['https://www.openstreetmap.org/?bbox=1,2,3,4&layer=mapnik-', { frameUrl: OSM_FRAME }],
  ['https://maps.google.com/?q=Paris', PARIS],
  ['https://maps.google.de/maps?q=Paris&output=embed', PARIS],
  ['https://maps.google.co.uk/?q=Paris', PARIS],
  ['https://www.google.de/maps/place/Paris/@48.85,2.29,17z', PARIS],
  [`${CALENDAR}&wkst=1`, framed('Google Calendar', CALENDAR)],
  ['https://www.google.com/maps/?q=Paris&key=K', PARIS],
  ['https://www.google.com/maps/search?query=Paris', PARIS],
  ['https://www.google.com/maps/place/Paris', PARIS],
  ['https://www.google.com/maps/embed/v1/place?key=K&q=Paris', PARIS_WITH_KEY],
  ['https://www.google.com/maps/embed/v1/search?key=K&q=Paris', PARIS_WITH_KEY],
  ['https://www.google.com/maps/d/u/0/viewer?mid=1abc', { pageUrl: 'https://www.google.com/maps/d/viewer?mid=1abc' }],
  [
    'https://www.google.com/maps/embed?pb=!1m14!1m12!1m3!1d9999!2d2.29!3d48.85!2m3!1f0',
    {
      frameUrl: 'https://www.google.com/maps/embed?pb=%211m14%211m12%211m3%211d9999%212d2.29%213d48.85%212m3%211f0',
      pageUrl: 'https://www.google.com/maps/search/?api=1&query=48.85%2C2.29',
    },
  ],
  [
    'https://maps.google.com/maps?q=Eiffel%20Tower&output=embed',
    {
      frameUrl: 'https://www.google.com/maps?q=Eiffel+Tower&output=embed',
      pageUrl: 'https://www.google.com/maps/search/?api=1&query=Eiffel+Tower',
    },
  ],
  [
    'https://www.google.com/maps/place/Eiffel+Tower/@48.85,2.29,17z',
    { frameUrl: 'https://www.google.com/maps?q=Eiffel+Tower&output=embed' },
  ],
  [
    'https://www.google.com/maps/@48.85,2.29,17z',
    { frameUrl: 'https://www.google.com/maps?q=48.85%2C2.29&output=embed' },
  ],
  ['https://www.google.com/maps/d/embed?mid=1abc', { pageUrl: 'https://www.google.com/maps/d/viewer?mid=1abc' }],
  [`https://www.loom.com/embed/${LOOM_ID}?t=30`, framed('Loom', `https://www.loom.com/embed/${LOOM_ID}?t=30`)],
  [`https://www.loom.com/share/${LOOM_ID}?sid=1`, framed('Loom', `https://www.loom.com/embed/${LOOM_ID}`)],
  [`https://www.loom.com/share/How-to-bake-${LOOM_ID}`, framed('Loom', `https://www.loom.com/embed/${LOOM_ID}`)],
  ['https://www.ted.com/talks/ada_how_bread_rises', framed('TED', 'https://embed.ted.com/talks/ada_how_bread_rises')],
  ['https://embed.ted.com/talks/lang/de/ada_rye', framed('TED', 'https://embed.ted.com/talks/lang/de/ada_rye')],
  ['https://www.twitch.tv/videos/123456', TWITCH],
  ['https://www.twitch.tv/ada/video/123456', TWITCH],
  ['https://www.twitch.tv/videos/123456?t=1h2m3s', TWITCH_LATER],
  ['https://player.twitch.tv/?video=v123456&parent=x&time=1h2m3s', TWITCH_LATER],
  ['https://clips.twitch.tv/FunnyLoaf-abc', CLIP],
  ['https://clips.twitch.tv/embed?clip=FunnyLoaf-abc&parent=x', CLIP],
  ['https://www.twitch.tv/ada/clip/FunnyLoaf-abc', CLIP],
  ['https://player.twitch.tv/?video=v123456&parent=www.baker.example', TWITCH],
  [
    'https://player.twitch.tv/?channel=ada&parent=x',
    framed('Twitch', 'https://player.twitch.tv/?channel=ada&parent=*'),
  ],
  [
    'https://m.twitch.tv/ada?sr=a',
    framed('Twitch', 'https://player.twitch.tv/?channel=ada&parent=*', { pageUrl: 'https://www.twitch.tv/ada' }),
  ],
  ['https://www.dailymotion.com/video/x8abcd_how-bread-rises', DAILYMOTION],
  ['https://www.dailymotion.com/embed/video/x8abcd', DAILYMOTION],
  ['https://dai.ly/x8abcd', DAILYMOTION],
  [
    'https://www.dailymotion.com/video/x8abcd?start=30',
    framed('Dailymotion', 'https://geo.dailymotion.com/player.html?video=x8abcd&startTime=30'),
  ],
  ['https://geo.dailymotion.com/player/xyz12.html?video=x8abcd', DAILYMOTION],
  ['https://ada.wistia.com/medias/abcde12345', framed('Wistia', 'https://fast.wistia.net/embed/iframe/abcde12345')],
  ['https://streamable.com/o/ab12cd', framed('Streamable', 'https://streamable.com/e/ab12cd')],
  [
    'https://www.tiktok.com/@ada.bakes/video/7012345678901234567?lang=en',
    framed('TikTok', 'https://www.tiktok.com/player/v1/7012345678901234567', { width: 405, height: 720 }),
  ],
  [
    'https://m.tiktok.com/v/7012345678901234567.html',
    framed('TikTok', 'https://www.tiktok.com/player/v1/7012345678901234567'),
  ],
  [
    'https://www.tiktok.com/embed/v2/7012345678901234567',
    framed('TikTok', 'https://www.tiktok.com/player/v1/7012345678901234567'),
  ],
  [
    'https://bandcamp.com/EmbeddedPlayer/v=2/album=123456/size=large/bgcol=ffffff/',
    framed('Bandcamp', 'https://bandcamp.com/EmbeddedPlayer/album=123456/size=large/artwork=small/tracklist=false/'),
  ],
  [
    'https://podcasts.apple.com/de/podcast/the-baker/id123456?i=1000123&l=en',
    framed('Apple Podcasts', 'https://embed.podcasts.apple.com/de/podcast/the-baker/id123456?i=1000123', {
      height: 175,
    }),
  ],
  [
    'https://podcasts.apple.com/de/podcast/id123456',
    framed('Apple Podcasts', 'https://embed.podcasts.apple.com/de/podcast/id123456', { height: 450 }),
  ],
  [
    'https://music.apple.com/us/album/songs-of-bread/1234567890?i=12345',
    framed('Apple Music', 'https://embed.music.apple.com/us/album/songs-of-bread/1234567890?i=12345'),
  ],
  [
    'https://www.mixcloud.com/ada/bread-mix/',
    framed('Mixcloud', 'https://player-widget.mixcloud.com/widget/iframe/?feed=%2Fada%2Fbread-mix%2F'),
  ],
  [
    'https://www.mixcloud.com/widget/iframe/?hide_cover=1&feed=%2Fada%2Fbread-mix%2F',
    framed('Mixcloud', 'https://player-widget.mixcloud.com/widget/iframe/?feed=%2Fada%2Fbread-mix%2F'),
  ],
  ['https://www.deezer.com/de/album/12345', framed('Deezer', 'https://widget.deezer.com/widget/auto/album/12345')],
  [
    'https://widget.deezer.com/widget/dark/track/12',
    framed('Deezer', 'https://widget.deezer.com/widget/auto/track/12'),
  ],
  ['https://www.figma.com/file/aBcDeFgHiJkL0123/Bread', DESIGN],
  [
    `https://www.figma.com/embed?embed_host=x&url=${encodeURIComponent('https://www.figma.com/file/aBcDeFgHiJkL0123/B?a=1')}`,
    DESIGN,
  ],
  [
    `https://www.figma.com/embed?url=${encodeURIComponent('https://www.figma.com/proto/aBcDeFgHiJkL0123')}`,
    framed('Figma', 'https://embed.figma.com/proto/aBcDeFgHiJkL0123?embed-host=share'),
  ],
  [
    'https://www.figma.com/board/aBcDeFgHiJkL0123/Plan?node-id=1-2&t=x',
    framed('Figma', 'https://embed.figma.com/board/aBcDeFgHiJkL0123?node-id=1-2&embed-host=share'),
  ],
  ['https://miro.com/app/board/uXjVabcd123=/?share=1', framed('Miro', 'https://miro.com/app/live-embed/uXjVabcd123=/')],
  ['https://ada.typeform.com/to/aBc123#x', framed('Typeform', 'https://form.typeform.com/to/aBc123')],
  ['https://airtable.com/shrAbCdEfGhIjKlMn', framed('Airtable', 'https://airtable.com/embed/shrAbCdEfGhIjKlMn')],
  [
    'https://airtable.com/embed/appAbCdEfGhIjKlMn/shrAbCdEfGhIjKlMn?backgroundColor=red',
    framed('Airtable', 'https://airtable.com/embed/appAbCdEfGhIjKlMn/shrAbCdEfGhIjKlMn'),
  ],
  [
    'https://calendly.com/ada/30min',
    framed('Calendly', 'https://calendly.com/ada/30min?embed_type=Inline', { hasText: true }),
  ],
  [
    `https://docs.google.com/forms/d/e/${DOCUMENT_ID}/viewform?usp=sf_link`,
    framed('Google Docs', `https://docs.google.com/forms/d/e/${DOCUMENT_ID}/viewform?embedded=true`),
  ],
  [
    `https://docs.google.com/presentation/d/${DOCUMENT_ID}/edit#slide=1`,
    framed('Google Docs', `https://docs.google.com/presentation/d/${DOCUMENT_ID}/embed`),
  ],
  [
    `https://docs.google.com/spreadsheets/d/e/${DOCUMENT_ID}/pubhtml?widget=true`,
    framed('Google Docs', `https://docs.google.com/spreadsheets/d/e/${DOCUMENT_ID}/pub?embedded=true`),
  ],
  [`${SHEET}/pubchart?oid=1&format=image`, framed('Google Docs', `${SHEET}/pubchart?oid=1&format=interactive`)],
  [
    `${SHEET}/pubhtml?gid=0&single=true`,
    framed('Google Docs', `${SHEET}/pubhtml?gid=0&single=true&widget=true&headers=false`),
  ],
  [
    `https://docs.google.com/document/d/${DOCUMENT_ID}/edit`,
    framed('Google Docs', `https://docs.google.com/document/d/${DOCUMENT_ID}/preview`, { hasText: true }),
  ],
  [
    `https://drive.google.com/file/d/${DOCUMENT_ID}/view?usp=sharing`,
    framed('Google Drive', `https://drive.google.com/file/d/${DOCUMENT_ID}/preview`),
  ],
  [
    'https://airtable.com/shrAbCdEfGhIjKlMn/tblAbCdEfGhIjKlMn/viwAbCdEfGhIjKlMn',
    framed('Airtable', 'https://airtable.com/embed/shrAbCdEfGhIjKlMn/tblAbCdEfGhIjKlMn/viwAbCdEfGhIjKlMn'),
  ],
  [
    'https://codesandbox.io/s/github/ada/bread/tree/main/rye',
    framed('CodeSandbox', 'https://codesandbox.io/embed/github/ada/bread/tree/main/rye'),
  ],
  [
    'https://stackblitz.com/github/ada/bread/tree/main/rye',
    framed('StackBlitz', 'https://stackblitz.com/github/ada/bread/tree/main/rye?embed=1'),
  ],
  ['https://codesandbox.io/s/bread-x1y2z', framed('CodeSandbox', 'https://codesandbox.io/embed/bread-x1y2z')],
  [
    'https://stackblitz.com/edit/bread?embed=1&file=src/rye.ts',
    framed('StackBlitz', 'https://stackblitz.com/edit/bread?file=src%2Frye.ts&embed=1'),
  ],
  ['https://stackblitz.com/github/ada/bread', framed('StackBlitz', 'https://stackblitz.com/github/ada/bread?embed=1')],
  ['https://jsfiddle.net/ada/abcd1234/', FIDDLE],
  ['https://jsfiddle.net/ada/abcd1234/embedded/result,js/dark/', FIDDLE],
  [GIST, framed('GitHub Gist', `${GIST}.pibb`, { pageUrl: GIST, hasText: true })],
  [`https://gist.github.com/${LOOM_ID}`, framed('GitHub Gist', `https://gist.github.com/${LOOM_ID}.pibb`)],
  [`${GIST}/${REVISION}`, framed('GitHub Gist', `${GIST}/${REVISION}.pibb`)],
  [`${GIST}.js?file=rye.py`, framed('GitHub Gist', `${GIST}.pibb`)],
  [
    'https://www.flickr.com/photos/ada@bread/12345678901/in/photostream/',
    framed('Flickr', 'https://www.flickr.com/photos/ada@bread/12345678901/player/'),
  ],
  [
    `https://sketchfab.com/3d-models/a-loaf-${LOOM_ID}`,
    framed('Sketchfab', `https://sketchfab.com/models/${LOOM_ID}/embed`),
  ],
  ['https://datawrapper.dwcdn.net/aB1cD/3/', framed('Datawrapper', 'https://datawrapper.dwcdn.net/aB1cD/')],
  [
    'https://public.flourish.studio/visualisation/12345/',
    framed('Flourish', 'https://flo.uri.sh/visualisation/12345/embed'),
  ],
];

test('has a fixture for every provider', () => {
  const found = FIXTURES.map(([url]) => findPlayer(url)?.provider);
  expect(PROVIDERS.map(({ name }) => name).filter((name) => !found.includes(name))).toEqual([]);
});

test.each(FIXTURES)('finds the player of %s, also from its own page and frame', (url, expected) => {
  const player = findPlayer(url);
  expect(player).toMatchObject(expected);
  expect(FRAME_ORIGINS).toContain(new URL(player?.frameUrl ?? '').origin);
  expect(findPlayer(player?.frameUrl ?? '')?.frameUrl).toBe(player?.frameUrl);
  expect(findPlayer(player?.pageUrl ?? '')).not.toBeNull();
});

test.each([
  '',
  'youtu.be/dQw4w9WgXcQ',
  'javascript:alert(1)//youtube.com/embed/dQw4w9WgXcQ',
  'https://youtube.com.evil.example/embed/dQw4w9WgXcQ',
  'https://evil.example/https://www.youtube.com/embed/dQw4w9WgXcQ',
  'https://www.youtube.com:8443/embed/dQw4w9WgXcQ',
  'https://www.youtube.com/@ada',
  'https://www.youtube.com/dQw4w9WgXcQ',
  'https://www.youtube.com/playlist',
  'https://www.youtube.com/playlist?list=-!PL0123456789',
  'https://www.youtube.com/playlist?list=PL0123456789!',
  'https://www.youtube.com/playlists?list=PL0123456789',
  'https://www.youtube.com/x/playlist?list=PL0123456789',
  'https://www.youtube.com/x/embed/dQw4w9WgXcQ',
  'https://www.youtube.com/x/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com/watcher?v=dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v=!dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ!',
  'https://youtu.be/x/dQw4w9WgXcQ',
  'xhttps://youtu.be/dQw4w9WgXcQ',
  'https://youwww.tube.com/embed/dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/embed/live_stream',
  'https://maps.google.evil/?q=Paris',
  'https://www.youtube.com/embed/dQw4w9WgXcQ"onload=',
  'https://vimeo.com/about',
  'https://vimeo.com/x/76979871',
  'https://vimeo.com/76979871x',
  'https://open.spotify.com/',
  'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC/x',
  'https://soundcloud.com/ada',
  'https://w.soundcloud.com/player/?url=https://evil.example/a/b',
  'https://w.soundcloud.com/player/?url=https://evil.example/https://soundcloud.com/a/b',
  'https://w.soundcloud.com/player/?url=https://evil.example/https://api.soundcloud.com/tracks/1',
  'https://codepen.io/ada',
  'https://codepen.io/a!/ada/pen/AbCdEf',
  'https://codepen.io/ada/pen/AbCdEf!',
  'https://www.openstreetmap.org/about',
  'https://www.openstreetmap.org/about?bbox=1,2,3,4',
  'https://www.openstreetmap.org/export/embed.html?bbox=1,2,3,x',
  'https://www.google.com/search?q=maps',
  'https://www.google.com/?q=Paris',
  'https://maps.google.com/search?q=Paris',
  'https://www.google.com/maps/embed?pb=x',
  'https://www.google.com/maps?pb=!2d2.29!3d48.85',
  'https://www.google.com/x/maps/d/embed?mid=1abc',
  'https://www.google.com/maps/d/embedded?mid=1abc',
  'https://www.google.com/x/maps/place/Paris',
  `https://www.loom.com/embed/${LOOM_ID}0"onload=`,
  'https://www.ted.com/about',
  'https://www.twitch.tv/directory',
  'https://www.twitch.tv/ada/about',
  'https://soundcloud.com/ada/likes',
  'https://soundcloud.com/ada/sets/',
  'https://soundcloud.com/search/sounds',
  'https://www.ted.com/talks/browse',
  'https://streamable.com/login',
  'https://streamable.com/terms/',
  'https://www.mixcloud.com/discover/jazz/',
  'https://www.mixcloud.com/ada/uploads/',
  'https://calendly.com/blog/meetings',
  'https://calendly.com/integrations/zoom',
  'https://clips.twitch.tv.evil.example/?video=123456',
  'https://evilwistia.com/medias/abcde12345',
  'https://typeform.com.evil.example/to/aBc123',
  'https://streamable.com/login/x',
  'https://www.tiktok.com/@ada',
  'https://bandcamp.com/EmbeddedPlayer/size=large/',
  'https://www.figma.com/embed?url=https://evil.example/https://www.figma.com/file/aBcDeFgHiJkL0123',
  'https://www.figma.com/pricing',
  'https://miro.com/blog/',
  'https://airtable.com/pricing',
  'https://calendly.com/ada',
  'https://docs.google.com/document/u/0/',
  'https://www.mixcloud.com/ada/',
  'https://gist.github.com/ada',
  'https://gist.github.com/ada/0123456789abcdef0123"onload=',
  'https://www.flickr.com/photos/ada/',
])('finds no player in %s', (url) => {
  expect(findPlayer(url)).toBeNull();
});

test.each([
  [
    'https://twitter.com/ada/status/123?s=20',
    'https://publish.x.com/oembed?omit_script=true&dnt=true&url=',
    'twitter.com/ada/status/123',
  ],
  [
    'https://x.com/ada/status/123/photo/1',
    'https://publish.x.com/oembed?omit_script=true&dnt=true&url=',
    'x.com/ada/status/123/photo/1',
  ],
  [
    'https://mobile.x.com/ada/statuses/123',
    'https://publish.x.com/oembed?omit_script=true&dnt=true&url=',
    'mobile.x.com/ada/statuses/123',
  ],
  [
    'https://bsky.app/profile/ada.example/post/3abc',
    'https://embed.bsky.app/oembed?url=',
    'bsky.app/profile/ada.example/post/3abc',
  ],
  [
    'https://www.reddit.com/r/bread/comments/1abc/rye/',
    'https://www.reddit.com/oembed?url=',
    'reddit.com/r/bread/comments/1abc/rye/',
  ],
])('finds the description of the post %s', (url, endpoint, post) => {
  expect(findPostDescription(url)).toBe(endpoint + encodeURIComponent(`https://${post}`));
  expect(findPlayer(url)).toBeNull();
});

test.each([
  'https://x.com/ada',
  'https://evil.example/ada/status/123',
  'https://x.com.evil.example/ada/status/123',
  'https://www.instagram.com/p/AbCdEfG/',
])('finds no description of %s', (url) => expect(findPostDescription(url)).toBeNull());
