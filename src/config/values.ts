import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import ipaddr from 'ipaddr.js';
import { parseWholeNumber } from './environment.ts';

export interface Header {
  readonly name: string;
  readonly value: string;
}

export const PORTS = [1, 65_535] as const;

export function parseRenderer(text: string): string | undefined {
  if (text === 'auto' || text === 'off') return text;
  if (/^wss?:\/\//.test(text)) return URL.canParse(text) ? text : undefined;
  return isAbsolute(text) && isExecutable(text) ? text : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Accepts a DNS name with at most 226 characters, so that an id fits in front of it. */
export function parseHost(text: string): string | undefined {
  const host = text.toLowerCase();
  const [name = '', port] = host.split(':');
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  const isName = new RegExp(`^${label}(\\.${label})*$`).test(name) && name.length <= 226 && !/^[\d.]+$/.test(name);
  const isPort = port === undefined || parseWholeNumber(port, ...PORTS) !== undefined;
  return isName && isPort && host.split(':').length <= 2 ? host : undefined;
}

/** Returns the issuer as it is written, since providers compare it as text. */
export function parseIssuer(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password || /[?#\s]/.test(text)) return undefined;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal) ? text : undefined;
}

export function parseFontCssUrl(text: string): string | null | undefined {
  if (text === 'none') return null;
  const isTemplate = text.includes('{family}') && text.startsWith('https://') && URL.canParse(text);
  return isTemplate ? text : undefined;
}

export function parseNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map((network) => network.trim());
  const isNetwork = (network: string) => {
    const [address = '', bits, ...rest] = network.split('/');
    const isIPv4 = ipaddr.IPv4.isValidFourPartDecimal(address);
    if (!(isIPv4 || (ipaddr.IPv6.isValid(address) && !address.includes('%'))) || rest.length > 0) return false;
    return bits === undefined || parseWholeNumber(bits, 0, isIPv4 ? 32 : 128) !== undefined;
  };
  return networks.every(isNetwork) ? networks : undefined;
}

/** A CDN that receives purges. */
export interface PurgeTarget {
  /** With `{key}` or `{url}` for one request per key or URL; else one request for up to 100 keys. */
  readonly url: string;
  /** Such as a credential. */
  readonly header: Header | null;
}

const MAX_PURGE_URLS = 10;

/** A comma within a URL belongs to it: only one in front of a scheme separates. */
export function parsePurgeUrls(text: string): readonly string[] | undefined {
  const urls = text.trim().split(/\s*,\s*(?=https?:)|\s+/);
  return urls.length <= MAX_PURGE_URLS && urls.every(isPurgeUrl) ? urls : undefined;
}

function isPurgeUrl(text: string): boolean {
  const example = text.replaceAll(text.includes('{url}') ? '{url}' : '{key}', 'name');
  const url = /[{}]/.test(example) ? null : URL.parse(example);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** Accepts a field name and a value of RFC 9110 section 5, in ASCII. */
function parseHeader(text: string): Header | undefined {
  const [, name, value] =
    /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** Accepts one header for all of `count` URLs, or one for each, or `none`. A comma within a value does not separate. */
export function parseHeaders(text: string, count: number): readonly (Header | null)[] | undefined {
  const parts = count > 1 ? text.split(/,[ \t]*(?=none[ \t]*(?:,|$)|[\w!#$%&'*+.^`|~-]+:)/) : [text];
  if (parts.length !== 1 && parts.length !== count) return undefined;
  const headers = parts.map((part) => (count > 1 && part.trim() === 'none' ? null : parseHeader(part)));
  return headers.includes(undefined) ? undefined : (headers as (Header | null)[]);
}

export function parseOrigins(text: string): '*' | readonly string[] | undefined {
  if (text === '*') return '*';
  const origins = text.split(',').map((origin) => origin.trim());
  const isOrigin = (origin: string) => URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}
