import { findOwnOrigin } from '../../auth/session-cookie.ts';
import { type JsonObject, requireJsonObject } from '../../domain/json.ts';
import { decodeUtf8, readBody, requireMediaType } from '../../http/body.ts';
import type { Exchange, IncomingRequest } from '../../http/exchange.ts';
import { TransportRefusal } from '../../http/problem.ts';

const MAX_BODY_BYTES = 10_000;

/** @throws {TransportRefusal} `site_not_allowed` for a request that no page of this service has sent */
export function requireOwnOrigin(exchange: Exchange): string {
  const origin = findOwnOrigin(exchange);
  if (origin !== null) return origin;
  const message = `Only the console signs in and out. The header Origin must name the host of the request, ${exchange.url.host}.`;
  throw new TransportRefusal('site_not_allowed', message);
}

/** Reads a JSON object of at most 10 kB. @throws {Refusal} `malformed` */
export async function readObject(request: IncomingRequest): Promise<JsonObject> {
  requireMediaType(request, 'application/json');
  return requireJsonObject(decodeUtf8(await readBody(request, MAX_BODY_BYTES)));
}
