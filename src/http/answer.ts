import { STATUS_CODES } from 'node:http';
import { FastResponse } from 'srvx';

/**
 * An answer whose body is at hand. It is a `Response` in every respect, but one that the listener can send without
 * streams, with its length.
 */
export function answer(
  body: string | Uint8Array<ArrayBuffer> | null,
  init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const { status = 200, headers = {} } = init;
  return new FastResponse(body, { status, statusText: STATUS_CODES[status] ?? '', headers: { ...headers } });
}

/** What HEAD answers: all but the body (RFC 9110 section 9.3.2). */
export async function withoutBody(response: Response): Promise<Response> {
  // what has no body with GET either tells no length
  if (response.body === null) return response;
  const headers = Object.fromEntries(response.headers);
  const { byteLength } = await response.arrayBuffer();
  return answer(null, { status: response.status, headers: { ...headers, 'content-length': String(byteLength) } });
}
