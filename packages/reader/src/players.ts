import { POST_PROVIDERS, PROVIDERS, type Provider, type UrlForm } from './players/providers.ts';

/** A video, recording, map, form or program that its provider shows in a frame on other sites. */
export interface Player {
  readonly provider: string;
  readonly frameUrl: string;
  /** The URL of the frame that plays at once, for readers who have clicked. */
  readonly playUrl: string;
  /** The page of the same content for a browser window. */
  readonly pageUrl: string;
  readonly posterUrl: string | null;
  /** The page has a text of its own, which is shown rather than the frame. */
  readonly hasText: boolean;
  /** In pixels. Wider columns do not make the frame higher, narrower ones keep the ratio. */
  readonly width: number;
  readonly height: number;
}

type Values = Readonly<Record<string, string | null | undefined>>;

/** The only origins of frames in embeds. */
export const FRAME_ORIGINS: readonly string[] = PROVIDERS.map(({ frameOrigin }) => frameOrigin);

/** Finds the player of an absolute URL: of a page of its provider, a short link, or a frame. */
export function findPlayer(url: string): Player | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.port !== '') return null;
  const host = parsed.hostname.replace(/^www\./, '');
  for (const provider of PROVIDERS) {
    if (!provider.hosts.some((name) => isHost(host, name))) continue;
    for (const form of provider.forms) {
      const values = form.host === undefined || isHost(host, form.host) ? readValues(form, parsed) : null;
      if (values) return createPlayer(provider, form, values);
    }
  }
  return null;
}

/** Finds the oEmbed endpoint that describes a post on another network; null if there is none, or the URL is no post. */
export function findPostDescription(url: string): string | null {
  const { hostname, pathname } = new URL(url);
  const host = hostname.replace(/^www\./, '');
  const provider = POST_PROVIDERS.find(({ hosts, path }) => hosts.includes(host) && path.test(pathname));
  return provider?.oembed ? provider.oembed + encodeURIComponent(`https://${host}${pathname}`) : null;
}

function isHost(host: string, name: string): boolean {
  if (name.endsWith('.*')) return host.replace(/\.(?:com?\.)?[a-z]{2}$/, '.*') === name;
  return name.startsWith('.') ? host.endsWith(name) : host === name;
}

/** Returns null if a URL has not this form. */
function readValues({ path, query = {}, options = {}, values }: UrlForm, url: URL): Values | null {
  const matchOf = (pattern: RegExp, name: string) => pattern.exec(url.searchParams.get(name) ?? '');
  const required = [path.exec(url.pathname), ...Object.entries(query).map(([name, pattern]) => matchOf(pattern, name))];
  if (required.includes(null)) return null;
  const optional = Object.entries(options).map(([name, pattern]) => matchOf(pattern, name));
  const found = Object.assign({}, ...[...required, ...optional].map((match) => match?.groups)) as Values;
  return { ...found, ...values?.(url) };
}

function createPlayer(provider: Provider, form: UrlForm, values: Values): Player | null {
  const frame = fill(form.frame, values);
  if (frame === null) return null;
  const { name, frameOrigin, autoplay, hasText = false, size } = provider;
  const frameUrl = frameOrigin + frame;
  const [document = '', fragment = ''] = frameUrl.split(/(?=#)/);
  return {
    provider: name,
    frameUrl,
    playUrl: autoplay ? `${document}${frame.includes('?') ? '&' : '?'}${autoplay}${fragment}` : frameUrl,
    pageUrl: (form.page && fill(form.page, values)) ?? frameUrl,
    posterUrl: (form.poster && fill(form.poster, values)) || null,
    hasText,
    ...(form.size ?? size),
  };
}

/** Fills a template. Returns null if a value is missing outside the query and the fragment. */
function fill(template: string, values: Values): string | null {
  const [document = '', fragment] = template.split(/#(.*)/s);
  const filled = fillDocument(document, values);
  const place = fragment === undefined ? null : substitute(fragment, values);
  return filled === null || place === null ? filled : `${filled}#${place}`;
}

function fillDocument(template: string, values: Values): string | null {
  const [base = '', query] = template.split(/\?(.*)/s);
  const path = substitute(base, values);
  if (path === null || query === undefined) return path;
  const parameters = new URLSearchParams();
  for (const pair of query.split('&')) {
    const [name = '', pattern = ''] = pair.split(/=(.*)/s);
    const value = substitute(pattern, values);
    if (value !== null) parameters.set(name, value);
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

/** Replaces the names in a template; returns null if a value is missing. */
function substitute(template: string, values: Values): string | null {
  let isComplete = true;
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    isComplete &&= Boolean(value);
    return value ?? '';
  });
  return isComplete ? text : null;
}
