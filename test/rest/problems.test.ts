import { expect, test } from 'vitest';
import { createPipeline } from '../../src/http/pipeline.ts';
import type { ProblemCode } from '../../src/http/problem.ts';
import { NO_TELEMETRY } from '../../src/telemetry/telemetry.ts';
import { openRawService } from '../http/server/open-raw-service.ts';
import { SHORT_TIMEOUTS } from '../http/server/slow-clients.ts';
import { MEAL_PLANNER, openApp } from '../open-app.ts';
import { openSite } from '../pages/site.ts';
import { type Document, readDocument } from './conformance.ts';

interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly request_id: string;
}

/** Returns the examples of problems in the document, by code. */
function problemExamplesIn({ components }: Document): Map<ProblemCode, Problem> {
  const responses = Object.values(components.responses ?? {}).flatMap((response) => {
    const { content = {} } = response as { content?: Record<string, { examples: Record<string, { value: Problem }> }> };
    return Object.values(content['application/problem+json']?.examples ?? {});
  });
  return new Map(responses.map(({ value }) => [value.code, value]));
}

/** Masks the id, and the figures that depend on timing. */
const maskVariables = ({ detail, ...problem }: Problem) => ({
  ...problem,
  detail: detail.replace(/than \d+ requests/, 'than <n> requests').replace(/\d+ s\./, '<n> s.'),
  request_id: '<request id>',
});

test('every example of a problem in the document equals the real response', async () => {
  const service = await openRawService({}, NO_TELEMETRY, SHORT_TIMEOUTS);
  const { as, withAuthorization } = service;
  const ada = await as('ada');
  const { id } = await ada.create();
  const limited = await (await openApp({ rateLimit: 1 })).as('ada');
  const { document, expectConforming } = await readDocument(ada);
  const json = (body: string): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
  });
  const draft = JSON.stringify({ page_url: MEAL_PLANNER });

  type RequestArguments = [path: string, init?: RequestInit];
  const requests: Partial<Record<ProblemCode, RequestArguments>> = {
    malformed: ['/v1/embeds', json('{')],
    not_found: ['/v1/embeds/x'],
    not_acceptable: [`/v1/embeds/${id}/article`, { headers: { accept: 'image/png' } }],
    gone: [`/v1/changes?after=${'0'.repeat(16)}-1`],
    precondition_failed: [`/v1/embeds/${id}`, { method: 'DELETE', headers: { 'if-match': '"x"' } }],
    payload_too_large: ['/v1/embeds', json('x'.repeat(100_001))],
    uri_too_long: [`/v1/embeds?after=${'x'.repeat(13_000)}`],
    unsupported_media_type: ['/v1/embeds', { method: 'POST', body: 'x' }],
    invalid: ['/v1/embeds?first=0&page=2'],
  };
  const sendRequest = async (client: typeof ada, [path, init = {}]: RequestArguments) => {
    const response = await client.fetch(path, init);
    const text = await response.text();
    expectConforming(init.method ?? 'GET', path, response, text);
    return JSON.parse(text) as Problem;
  };
  const send = async (message: string) => {
    const response = await service.send(message);
    return JSON.parse(response.split('\r\n\r\n')[1] ?? '') as Problem;
  };
  const others: Partial<Record<ProblemCode, () => Promise<Problem>>> = {
    unauthenticated: () => sendRequest(withAuthorization(null), ['/v1/embeds']),
    invalid_token: () => sendRequest(withAuthorization('Bearer a-token-of-another-service'), ['/v1/embeds']),
    insufficient_scope: async () => sendRequest(await as('ada', ['read']), ['/v1/embeds', json(draft)]),
    request_timeout: () => send('GET /v1/embeds HTTP/1.1\r\n'),
    headers_too_large: () => send(`GET /v1/embeds HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    async conflict() {
      const asked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const slow = await openSite((_request, response) => {
        asked.resolve();
        void release.promise.then(() => response.end());
      });
      const local = await (await openApp({ allowPrivatePages: true })).as('ada');
      const body = json(JSON.stringify({ page_url: `${slow.origin}/about` }));
      const first = local.fetch('/v1/embeds', body);
      await asked.promise;
      const refused = await sendRequest(local, ['/v1/embeds', body]);
      release.resolve();
      await first;
      return refused;
    },
    async rate_limited() {
      await sendRequest(limited, ['/v1/embeds']);
      return sendRequest(limited, ['/v1/embeds']);
    },
    async unavailable() {
      const crowd = Array.from({ length: 500 }, () => ada.fetch('/v1/embeds'));
      const refused = await sendRequest(ada, ['/v1/embeds']);
      await Promise.all(crowd);
      return refused;
    },
    async internal() {
      const fail = () => {
        throw new Error('a defect');
      };
      const log = { info() {}, warn() {}, error() {} };
      const answerTo = createPipeline({ doors: [{ findRoute: fail, maxInFlight: 1 }], log, corsOrigins: '*' });
      return JSON.parse(String((await answerTo(new Request('http://localhost/v1/embeds'))).body)) as Problem;
    },
  };

  const examples = problemExamplesIn(document);
  expect(examples.size).toBe(18);
  const provoke = (code: ProblemCode) => {
    const request = requests[code];
    return request ? sendRequest(ada, request) : others[code]?.();
  };
  for (const [code, problem] of examples) {
    const actual = await provoke(code);
    expect([code, actual && maskVariables(actual)]).toEqual([code, maskVariables(problem)]);
  }
});

test('the document describes each code of a problem', async () => {
  const { part } = await readDocument((await openApp()).withAuthorization(null));
  const { enum: codes, description } = part<{ enum: string[]; description: string }>(
    '/components/schemas/Problem/properties/code',
  );
  expect(codes.length).toBeGreaterThan(16);
  for (const code of codes) expect(description).toMatch(new RegExp(`^- \`${code}\` \\(\\d{3}\\): [A-Z\`].{15}`, 'm'));
});
