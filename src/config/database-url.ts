import { isAbsolute, resolve } from 'node:path';

/** Makes the path of a file absolute. Returns undefined for an invalid URL. */
export function parseDatabaseUrl(text: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(text)) {
    const urls = urlsOfHosts(text);
    return urls.every((url) => URL.canParse(url) && isUsable(new URL(url), urls.length > 1)) ? text : undefined;
  }
  const path = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(text)?.[1];
  if (path === undefined || path.endsWith('/') || path === ':memory:') return undefined;
  return `file:${isAbsolute(path) ? path : resolve(path)}`;
}

/**
 * Returns a URL for each host of a list: `postgresql://a:5432,b:5433/embeds`, or `?host=a,b&port=5432,5433` with one port for
 * all or for each (libpq, section 34.1.1).
 */
export function urlsOfHosts(text: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = /^([^/?#]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (hosts.includes(',')) return hosts.split(',').map((host) => before + host + after);
  if (!URL.canParse(text)) return [text];
  const { searchParams } = new URL(text);
  const names = searchParams.get('host')?.split(',') ?? [];
  if (names.length < 2) return [text];
  const ports = searchParams.get('port')?.split(',') ?? [];
  return names.map((name, i) => {
    const url = new URL(text);
    url.searchParams.set('host', name);
    const port = ports.length > 1 ? ports[i] : ports[0];
    if (port !== undefined) url.searchParams.set('port', port);
    return url.href;
  });
}

/** The values of `target_session_attrs` (libpq, section 34.1.2) with which the gateway can write. */
const TARGETS = ['any', 'read-write', 'primary'];

/** Also rejects percent-encoding that cannot be decoded. */
function isUsable({ pathname, username, password, searchParams }: URL, isOneOfMany: boolean): boolean {
  const target = searchParams.get('target_session_attrs') ?? 'read-write';
  if (!TARGETS.includes(target) || (isOneOfMany && target === 'any')) return false;
  try {
    for (const part of [pathname, username, password]) decodeURIComponent(part);
    return pathname.length > 1;
  } catch {
    return false;
  }
}
