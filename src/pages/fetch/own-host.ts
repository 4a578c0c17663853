/** Where the service itself answers. */
interface Addresses {
  readonly embedHost: string;
  readonly host: string;
  readonly port: number;
}

/** Names below `localhost` lead to the same machine (RFC 6761 section 6.3). */
const LOOPBACK = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

/**
 * Whether `hostname:port` is the service itself: its API, or an embed, which might embed itself. An embed host without
 * a port stands for all ports, since a proxy may be before it.
 */
export function isOwnHost(target: string, { embedHost, host, port }: Addresses): boolean {
  const [name, targetPort] = split(target);
  const [embedName, embedPort] = split(embedHost);
  const isEmbedName = name === embedName || name.endsWith(`.${embedName}`);
  if (isEmbedName && (embedPort === '' || embedPort === targetPort)) return true;
  return targetPort === String(port) && (name === host || LOOPBACK.test(name));
}

function split(authority: string): [name: string, port: string] {
  const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? [];
  return [name, port];
}
