import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  EXAMPLE_DELIVERY,
  EXAMPLE_ID,
  EXAMPLE_TOKEN_ID,
  EXAMPLE_WEBHOOK,
} from '../../../src/doors/rest/openapi/examples.ts';
import { temporaryFolder } from '../../../test/open-app.ts';
import { openService } from '../../../test/open-service.ts';
import { articlePage, openSite } from '../../../test/pages/site.ts';
import { EXAMPLE_ORIGIN } from '../src/origin.ts';
import { operationsOf, readDocument } from '../src/rest/openapi.ts';
import { samplesOf } from '../src/rest/samples.ts';

interface Program {
  readonly file: string;
  readonly command: readonly [string, ...string[]];
  /** The arguments that print the version, if the program is installed. */
  readonly version: string;
  /** Puts samples one after the other; without it, each sample is a program of its own. */
  readonly join?: (samples: readonly string[]) => string;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  curl: { file: 'all.sh', command: ['bash', '-e'], version: '--version', join: (samples) => samples.join('\necho\n') },
  javascript: {
    file: 'all.mjs',
    command: [process.execPath],
    version: '--version',
    join: (samples) => samples.map((sample) => `{\n${sample}\n}`).join('\n'),
  },
  python: { file: 'all.py', command: ['python3'], version: '--version', join: (samples) => samples.join('\n') },
  php: {
    file: 'all.php',
    command: ['php'],
    version: '--version',
    join: ([first = '', ...others]) => [first, ...others.map((sample) => sample.replace('<?php\n', ''))].join('\n'),
  },
  go: { file: 'main.go', command: ['go', 'run'], version: 'version' },
};

/** The order in which the samples work one after the other. */
const ORDER = [
  'createEmbed',
  'listEmbeds',
  'retrieveEmbed',
  'updateEmbed',
  'retrieveSettings',
  'updateSettings',
  'retrievePage',
  'refreshPage',
  'retrieveArticle',
  'retrieveViews',
  'retrieveAccountViews',
  'deleteEmbed',
  'listChanges',
  'retrieveAccount',
  'updateAccount',
  'createToken',
  'listTokens',
  'revokeToken',
  'listAuditEvents',
  'createWebhook',
  'listWebhooks',
  'retrieveWebhook',
  'updateWebhook',
  'testWebhook',
  'listDeliveries',
  'redeliver',
  'rotateWebhookSecret',
  'deleteWebhook',
];

function isInstalled({ command: [name], version }: Program): boolean {
  try {
    execFileSync(name, [version], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const operations = operationsOf(readDocument());

test('every operation has a sample in each language', () => {
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(ORDER.toSorted());
  for (const operation of operations) {
    expect(samplesOf(operation).map(({ id }) => id)).toEqual(Object.keys(PROGRAMS));
  }
});

for (const [language, program] of Object.entries(PROGRAMS)) {
  const canRun = isInstalled(program);
  if (!canRun) console.warn(`The samples for ${language} are skipped: ${program.command[0]} is not installed.`);

  test.skipIf(!canRun)(`the samples for ${language} send the documented requests`, async () => {
    const { as, origin, logged } = await openService({ allowPrivatePages: true });
    const site = await openSite((_request, response) =>
      response.setHeader('content-type', 'text/html').end(articlePage('Meals')),
    );
    const ada = await as('ada');
    const { id } = await ada.create({ page_url: `${site.origin}/meals` });
    const { body: created } = await ada.rest('POST', '/v1/tokens', { name: 'old', scopes: ['read'] });
    const webhook = { url: 'https://example.com/', events: ['embed.created'] };
    const { body: subscribed } = await ada.rest('POST', '/v1/webhooks', webhook);
    const { body: tested } = await ada.rest('POST', `/v1/webhooks/${subscribed.webhook.id}/test`);
    const idsOfPaths = { tokens: created.token.id, webhooks: subscribed.webhook.id, deliveries: tested.delivery.id };
    logged.length = 0;

    const samples = ORDER.map((name) => {
      const operation = operations.find((one) => one.operation.operationId === name);
      const code = operation && samplesOf(operation).find((sample) => sample.id === language)?.code;
      return (code ?? '')
        .replaceAll(EXAMPLE_ORIGIN, origin)
        .replaceAll(EXAMPLE_ID, id)
        .replaceAll(EXAMPLE_TOKEN_ID, created.token.id)
        .replaceAll(EXAMPLE_WEBHOOK.id, subscribed.webhook.id)
        .replaceAll(EXAMPLE_DELIVERY.id, tested.delivery.id);
    });
    const file = join(temporaryFolder(), program.file);
    const env = { ...process.env, TOKEN: ada.authorization.replace('Bearer ', '') };
    const [name, ...args] = program.command;
    for (const text of program.join ? [program.join(samples)] : samples) {
      writeFileSync(file, text);
      await promisify(execFile)(name, [...args, file], { env });
    }

    const requests = logged.filter((line) => 'path' in line) as { method: string; path: string; status: number }[];
    expect(requests.map(({ method, path, status }) => [status, method, path])).toEqual(
      ORDER.map((operationId) => {
        const { method, path, responses } = operations.find((one) => one.operation.operationId === operationId) ?? {};
        const resource = path?.split('/')[2] as keyof typeof idsOfPaths;
        const target = path?.replace('{id}', idsOfPaths[resource] ?? id);
        return [Number(responses?.findLast(([status]) => status < '3')?.[0]), method, target];
      }),
    );
    const { body: list } = await ada.rest('GET', '/v1/embeds');
    expect(list.embeds).toEqual([expect.objectContaining({ mode: 'dark', font: 'Inter' })]);
    const { body: tokens } = await ada.rest('GET', '/v1/tokens');
    expect(tokens.tokens).toContainEqual(
      expect.objectContaining({ name: 'ci', scopes: ['read', 'write'], expires_at: '2036-01-31T12:00:00.000Z' }),
    );
  });
}
