import { expect, test } from 'vitest';
import { FRAME_ORIGINS, findPlayer } from '../src/players.ts';

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

test.each<readonly [url: string, player: object]>([
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
  ['https://vimeo.com/76979871', VIMEO],
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
])('finds the player of %s, also from its own page and frame', (url, expected) => {
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
])('finds no player in %s', (url) => {
  expect(findPlayer(url)).toBeNull();
});
