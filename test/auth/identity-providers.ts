import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';

export const CLIENT = { clientId: 'gateway', clientSecret: 'a secret of the client' };

/** Starts a server on loopback, whose handler may depend on its origin. */
async function serve(createHandler: (origin: string) => RequestListener): Promise<string> {
  let handler: RequestListener = () => {};
  const server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  handler = createHandler(origin);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return origin;
}

/**
 * Starts a real provider. Everybody may sign in with any password; `claims` are those of the person.
 * @param callback called with the first request
 */
export function openProvider(callback: () => string, claims: object): Promise<string> {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  return serve((origin) => {
    let handler: RequestListener | null = null;
    return (request, response) => {
      handler ??= createProvider(origin, callback(), claims);
      handler(request, response);
    };
  });
}

function createProvider(origin: string, callback: string, claims: object): RequestListener {
  const provider = new Provider(origin, {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [callback] }],
    claims: { openid: ['sub'], profile: ['name', 'roles'], email: ['email', 'email_verified'] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...claims }),
    }),
    cookies: { keys: ['a key of the test'] },
  });
  const handle = provider.callback();
  return (request, response) => {
    const end = response.end.bind(response) as (body?: unknown) => typeof response;
    // its pages load a font from another machine
    const withoutFonts = (body: unknown) =>
      typeof body === 'string' ? body.replace(/@import url\([^)]*\);/g, (text) => ' '.repeat(text.length)) : body;
    response.end = ((body: unknown) => end(withoutFonts(body))) as typeof response.end;
    handle(request, response);
  };
}

/** Signs a person in at the real provider, as a browser does. Returns the URL to which the provider sends the browser back. */
export async function visitProvider(location: string, login: string, callback: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = location;
  let body: URLSearchParams | null = null;
  for (let steps = 0; steps < 12; steps++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { method: body ? 'POST' : 'GET', body, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const next = response.headers.get('location');
    if (next) {
      url = new URL(next, url).href;
      if (url.startsWith(callback)) return url;
      body = null;
      continue;
    }
    const html = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
    if (!prompt) throw new Error(`the provider answers ${response.status}: ${html.slice(0, 300)}`);
    body = new URLSearchParams({ prompt, login, password: 'any' });
    url = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '', url).href;
  }
  throw new Error('the provider does not return');
}

/** What a hostile provider changes. */
export interface Lies {
  /** Claims of the id token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly signsWithOtherKey?: boolean;
  /** In the header of the id token: `none` has no signature, HS256 one with the secret of the client. */
  readonly alg?: 'none' | 'HS256';
  readonly tokenStatus?: number;
  /** The response of the userinfo endpoint; there is none without it. */
  readonly userinfo?: object;
}

/** Starts a provider that lies. Its code is the nonce that it puts into the id token. */
export function openHostileProvider(lies: Lies): Promise<string> {
  const [own, other] = [newKey(), newKey()];
  return serve((origin) => (request, response) => {
    const json = (body: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/.well-known/openid-configuration') {
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...(lies.userinfo && { userinfo_endpoint: `${origin}/userinfo` }),
        ...lies.metadata,
      });
    }
    if (request.url === '/keys')
      return json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] });
    if (request.url === '/userinfo') return json(lies.userinfo ?? {});
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const nonce = new URLSearchParams(body).get('code');
      const now = Math.floor(Date.now() / 1_000);
      const honest = {
        iss: origin,
        sub: 'ada',
        aud: CLIENT.clientId,
        iat: now,
        exp: now + 60,
        nonce,
        name: 'Ada',
        roles: 'admin',
      };
      const key = lies.signsWithOtherKey ? other.privateKey : own.privateKey;
      json(
        { access_token: 'x', token_type: 'Bearer', id_token: jwtOf({ ...honest, ...lies.claims }, key, lies.alg) },
        lies.tokenStatus,
      );
    });
  });
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });

function jwtOf(claims: object, key: KeyObject, alg: 'RS256' | NonNullable<Lies['alg']> = 'RS256'): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode({ alg, kid: 'k' })}.${encode(claims)}`;
  const signatures = {
    none: () => '',
    HS256: () => createHmac('sha256', CLIENT.clientSecret).update(content).digest('base64url'),
    RS256: () => sign('sha256', Buffer.from(content), key).toString('base64url'),
  };
  return `${content}.${signatures[alg]()}`;
}
