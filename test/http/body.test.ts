import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { decodeUtf8, mediaTypeOf, readBody } from '../../src/http/body.ts';
import type { IncomingRequest } from '../../src/http/exchange.ts';

const MAX_BYTES = 100_000;
const TOO_LARGE = { code: 'payload_too_large', message: 'The body must be at most 100000 bytes.' };
const INCOMPLETE = { code: 'malformed', message: 'The body did not arrive in full.' };

/** A request whose body comes in these parts: an error ends it. */
function requestWith(parts: readonly (string | Error)[], headers: Record<string, string> = {}): IncomingRequest {
  const body = Readable.from(
    (function* () {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield Buffer.from(part);
      }
    })(),
  );
  return { method: 'POST', url: 'http://localhost/', headers: new Headers(headers), body };
}

/** A message that has arrived, as Node passes it to a server. */
function arrived(text: string): IncomingRequest {
  const message = new IncomingMessage(null as never);
  if (text !== '') message.push(text);
  message.push(null);
  message.complete = true;
  return { method: 'POST', url: 'http://localhost/', headers: new Headers(), body: message };
}

const web = (text: string) => new Request('http://localhost/', { method: 'POST', body: text });
const KINDS = [
  ['that comes in parts', (text: string) => requestWith([text.slice(0, 10), text.slice(10)])],
  ['that has arrived', arrived],
  ['of a Request', web],
] as const;

test.each(KINDS)('reads a body %s, up to 100,000 bytes', async (_what, create) => {
  for (const text of ['', 'é', 'x'.repeat(MAX_BYTES)]) {
    expect(decodeUtf8(await readBody(create(text)))).toBe(text);
  }
  const read = async () => readBody(create('x'.repeat(MAX_BYTES + 1)));
  await expect(read()).rejects.toMatchObject(TOO_LARGE);
});

test('refuses a body by its headers, and asks for it only after that', async () => {
  let asked = 0;
  const read = async (headers: Record<string, string>) =>
    readBody({ ...requestWith(['x'], headers), askForBody: () => void asked++ });
  const encoded = { code: 'unsupported_media_type', message: 'Send the body without a content encoding.' };
  await expect(read({ 'content-encoding': 'gzip' })).rejects.toMatchObject(encoded);
  await expect(read({ 'content-length': String(MAX_BYTES + 1) })).rejects.toMatchObject(TOO_LARGE);
  expect(asked).toBe(0);
  expect(decodeUtf8(await read({ 'content-length': String(MAX_BYTES), 'content-encoding': 'identity' }))).toBe('x');
  expect(asked).toBe(1);
});

test('a body that ends early is incomplete', async () => {
  await expect(readBody(requestWith(['x', new Error('reset')]))).rejects.toMatchObject(INCOMPLETE);
  const gone = requestWith(['x']);
  (gone.body as Readable).destroy();
  await expect(readBody(gone)).rejects.toMatchObject(INCOMPLETE);
  const reset = arrived('x');
  (reset.body as Readable).destroy();
  await expect(async () => readBody(reset)).rejects.toMatchObject(INCOMPLETE);
  const closing = new Readable({ read() {} });
  const closed = readBody({ ...gone, body: closing });
  closing.destroy();
  await expect(closed).rejects.toMatchObject(INCOMPLETE);
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
  await expect(readBody({ ...gone, body: failing })).rejects.toMatchObject(INCOMPLETE);
  expect(await readBody({ ...gone, body: null })).toHaveLength(0);
});

test('keeps nothing of the rest of a body that is too large', async () => {
  const { body } = requestWith(Array.from({ length: 5 }, () => 'x'.repeat(MAX_BYTES / 2)));
  await expect(readBody({ ...requestWith([]), body })).rejects.toMatchObject(TOO_LARGE);
  expect((body as Readable).listenerCount('data')).toBe(0);
});

test('a body that is not UTF-8 is refused', () => {
  expect(decodeUtf8(Buffer.from('日本'))).toBe('日本');
  expect(() => decodeUtf8(Buffer.from([0x61, 0xff]))).toThrow(
    expect.objectContaining({ code: 'malformed', message: 'The body is not valid UTF-8.' }),
  );
});

test.each([
  [{}, null],
  [{ 'content-type': '' }, null],
  [{ 'content-type': ' ; charset=utf-8' }, null],
  [{ 'content-type': 'Application/JSON ; charset=utf-8' }, 'application/json'],
])('the media type of %j is %s', (headers, type) => {
  expect(mediaTypeOf(requestWith([], headers as Record<string, string>))).toBe(type);
});
