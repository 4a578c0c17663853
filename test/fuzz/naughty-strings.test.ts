import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' };
import { expect, test } from 'vitest';
import { MEAL_PLANNER } from '../open-app.ts';
import { openUnlimitedApp, someOf } from './check.ts';

const strings = someOf<string>(naughtyStrings);

test('REST returns every string of the Big List of Naughty Strings that it accepts unchanged', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const { id } = await ada.create();
  let fonts = 0;
  for (const text of strings) {
    const encoded = encodeURIComponent(text.toWellFormed());
    const short = encodeURIComponent(text.slice(0, 100).toWellFormed());
    const page_url = `https://example.com/${short}-95747105f402490eba51d52e00496c1c?q=${short}`;
    const withFont = await ada.rest('POST', '/v1/embeds', { page_url, font: text });
    const isFont = withFont.status === 201;
    if (isFont) fonts += 1;
    else expect(withFont.body.errors.map(({ path }: { path: string }) => path)).toEqual(['font']);
    const created = isFont ? withFont : await ada.rest('POST', '/v1/embeds', { page_url });
    const { embed } = created.body;
    expect([text, embed.page_url, embed.font]).toEqual([text, page_url, isFont ? text : 'default']);
    expect((await ada.rest('GET', `/v1/embeds/${embed.id}`)).body).toEqual({ embed });

    const nothing = { page_url: text, mode: text, show_top_bar: text, page_id: text, [`${text}?`]: text };
    const rejected = await ada.rest('PATCH', `/v1/embeds/${id}`, nothing);
    expect([text, rejected.status, rejected.body.errors.length]).toEqual([text, 422, expect.toBeOneOf([4, 5, 6])]);
    for (const path of [`/v1/embeds?after=${encoded}`, `/v1/embeds?first=${encoded}`, `/v1/embeds?${encoded}=1`]) {
      expect([path, (await ada.rest('GET', path)).status]).toEqual([path, expect.toBeOneOf([200, 422])]);
    }
    expect((await ada.fetch(`/v1/embeds/x${encoded}`)).status).toBe(404);
  }
  expect(fonts).toBeGreaterThan(strings.length / 50);
  expectNoBugs();
});

test('GraphQL accepts or rejects every string of the Big List of Naughty Strings as variable and as literal', async () => {
  const { ada, expectNoBugs } = await openUnlimitedApp();
  const all = `query($t: ID!, $s: String) { node(id: $t) { id } nodes(ids: [$t]) { id } embed(id: $t) { id }
    embeds(after: $s, before: $s) { totalCount } }`;
  const create = 'mutation($i: CreateEmbedInput!) { createEmbed(input: $i) { embed { font } } }';
  for (const text of strings) {
    const made = await ada.graphql(create, { i: { pageUrl: MEAL_PLANNER, font: text } });
    if (made.data) expect(made.data.createEmbed.embed.font).toBe(text);
    const replies = [
      made,
      await ada.graphql(all, { t: text, s: text }),
      await ada.graphql(`{ embed(id: ${JSON.stringify(text.toWellFormed())}) { id } }`),
      await ada.graphql(text, { [text]: text }, text),
    ];
    for (const { status, data, errors } of replies) {
      const codes = errors.map(({ extensions }) => extensions.code);
      for (const code of codes) expect([text, code]).toEqual([text, expect.toBeOneOf(['BAD_USER_INPUT', 'NOT_FOUND'])]);
      expect([text, status]).toEqual([text, data === undefined ? 400 : 200]);
    }
  }
  expectNoBugs();
});
