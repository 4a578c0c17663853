import { expect, test } from 'vitest';
import { MEAL_PLANNER, newDatabase } from '../open-app.ts';
import { makeToken, send, startGateway } from './gateway.ts';

test.each(['warn', 'silent'])('at LOG_LEVEL=%s the output still has the audit log', async (level) => {
  const url = await newDatabase();
  const { authorization } = await makeToken(url, 'ada');
  const { origin, run } = await startGateway(url, { environment: { LOG_LEVEL: level } });
  const { body } = await send(origin, 'POST', '/v1/embeds', { authorization, body: { page_url: MEAL_PLANNER } });
  await send(origin, 'DELETE', `/v1/embeds/${body.embed.id}`, { authorization });
  await expect.poll(run.stdout).toContain('embed.deleted');
  const line = run
    .stdout()
    .split('\n')
    .find((text) => text.includes('embed.deleted'));
  expect(JSON.parse(line ?? '')).toMatchObject({ msg: 'audit', accountId: 'ada', embedId: body.embed.id });
});
