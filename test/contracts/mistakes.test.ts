import { expect, test } from 'vitest';
import { MEAL_PLANNER, shareApp } from '../open-app.ts';

const gateway = shareApp();

const UNKNOWN = 'is not a parameter of this operation';

test('both APIs name the first fault in the message, and suggest the parameter for a mistyped name', async () => {
  const ada = await gateway.as('ada');
  const create = 'mutation($input: CreateEmbedInput!) { createEmbed(input: $input) { embed { id } } }';
  const ofRest = async (body: object) => (await ada.rest('POST', '/v1/embeds', body)).body.detail;
  const ofGraphql = async (input: object) => (await ada.graphql(create, { input })).errors[0]?.message;
  const ofList = async (query: string) => (await ada.rest('GET', `/v1/embeds?${query}`)).body.detail;

  const cases: [Promise<string | undefined>, string][] = [
    [ofRest({ page_url: MEAL_PLANNER, mode: 'blue' }), '`mode` must be one of light, dark, auto, user_defined.'],
    [ofGraphql({ pageUrl: MEAL_PLANNER, mode: 'blue' }), '`mode` must be one of LIGHT, DARK, AUTO, USER_DEFINED.'],
    [ofRest({}), '`page_url` is required.'],
    [
      ofRest({ pageUrl: MEAL_PLANNER }),
      `\`pageUrl\` ${UNKNOWN}; did you mean \`page_url\`? One more parameter is not valid.`,
    ],
    [
      ofGraphql({ page_url: MEAL_PLANNER }),
      `\`page_url\` ${UNKNOWN}; did you mean \`pageUrl\`? One more parameter is not valid.`,
    ],
    [
      ofRest({ page_url: MEAL_PLANNER, 'show-topbar': true }),
      `\`show-topbar\` ${UNKNOWN}; did you mean \`show_top_bar\`?`,
    ],
    [ofRest({ page_url: MEAL_PLANNER, mdoe: 'dark' }), `\`mdoe\` ${UNKNOWN}; did you mean \`mode\`?`],
    [
      ofRest({ page_url: MEAL_PLANNER, colour: 'red', x: 1 }),
      `\`colour\` ${UNKNOWN}. One more parameter is not valid.`,
    ],
    [ofList('page=2'), `\`page\` ${UNKNOWN}; page with \`after\`, the \`end_cursor\` of the previous page.`],
    [ofList('offset=10'), `\`offset\` ${UNKNOWN}; page with \`after\`, the \`end_cursor\` of the previous page.`],
    [ofList('first=500'), '`first` must be a whole number from 1 to 100.'],
  ];
  for (const [answer, message] of cases) expect(await answer).toBe(message);
});

test('both APIs show where a body is not valid JSON', async () => {
  const ada = await gateway.as('ada');
  const headers = { 'content-type': 'application/json' };
  const detailOf = async (body: string) =>
    (await (await ada.fetch('/v1/embeds', { method: 'POST', headers, body })).json()).detail;
  const messageOf = async (body: string) =>
    (await (await ada.fetch('/graphql', { method: 'POST', headers, body })).json()).errors[0].message;

  const where = (line: number, column: number) => `The body is not valid JSON: see line ${line}, column ${column}.`;
  for (const read of [detailOf, messageOf]) {
    expect(await read('{"a":\n  tru }')).toBe(where(2, 3));
    expect(await read("{'a': 1}")).toBe(where(1, 2));
    expect(await read('{"a": 1,}')).toBe(where(1, 9));
    expect(await read('{"a": 1')).toBe(where(1, 8));
    expect(await read('['.repeat(90_000))).toMatch(/^The body is not valid JSON/);
  }
});
