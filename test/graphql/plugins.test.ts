import { type FieldNode, GraphQLError, type ValidationContext } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Client, openApp } from '../open-app.ts';
import { WATCH } from './event-source.ts';

const LOG = { info: () => {}, warn: () => {}, error: () => {} };
const TOTAL = '{ embeds { totalCount } }';

/** Opens an app with plugins of Yoga beside an app without them, on one database. */
async function openWith(plugins: readonly Plugin[]) {
  const { database, as } = await openApp();
  const app = createApp({ config: { ...readConfig({}), renderer: 'off' }, database, log: LOG, plugins });
  const send = async ({ authorization }: Client, query: string, accept = 'application/json') => {
    const headers = { authorization, accept, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ query }) };
    return app.fetch(new Request('http://localhost:4000/graphql', request));
  };
  return { send, ada: await as('ada'), close: () => app.close() };
}

test('plugins of Yoga see the phases of each request, whether or not its document was seen before', async () => {
  const seen: string[] = [];
  const accounts = new Set<unknown>();
  const see = (phase: string, context: unknown) => {
    seen.push(phase);
    accounts.add((context as { identity?: { accountId: string } }).identity?.accountId);
  };
  const spy: Plugin<{ traceId?: string }> = {
    onParse: ({ context }) => see('parse', context),
    onValidate: ({ context }) => see('validate', context),
    onContextBuilding: ({ context, extendContext }) => {
      see('context', context);
      extendContext({ traceId: 'abc' });
    },
    onExecute: ({ args }) => {
      see(`execute for ${args.contextValue.traceId}`, args.contextValue);
      return { onExecuteDone: ({ result }) => see(JSON.stringify(result), args.contextValue) };
    },
    onSubscribe: ({ args }) => {
      see('subscribe', args.contextValue);
      return { onSubscribeResult: () => ({ onNext: ({ result }) => see(JSON.stringify(result), args.contextValue) }) };
    },
  };
  const { send, ada, close } = await openWith([spy]);
  const query = ['parse', 'validate', 'context', 'execute for abc', '{"data":{"embeds":{"totalCount":0}}}'];
  // the fourth run is compiled
  for (let run = 0; run < 4; run++) {
    expect(await (await send(ada, TOTAL)).json()).toEqual({ data: { embeds: { totalCount: 0 } } });
    expect(seen.splice(0)).toEqual(query);
  }
  const create =
    'mutation { createEmbed(input: { pageUrl: "https://example.com/Plan-95747105f402490eba51d52e00496c1c" }) { embed { mode } } }';
  const stream = (await send(ada, WATCH, 'text/event-stream')).body?.pipeThrough(new TextDecoderStream()).getReader();
  await send(ada, create);
  let text = '';
  while (!text.includes('"kind":"CREATED"')) text += (await stream?.read())?.value ?? '';
  expect(text).toMatch(
    /^:\nid: (\S+)\n\nid: (?!\1\n)\S+\nevent: next\ndata: {"data":{"embedChanged":{"kind":"CREATED"/,
  );
  expect(seen.slice(0, 4)).toEqual(['parse', 'validate', 'context', 'subscribe']);
  expect(seen).toContain('{"data":{"createEmbed":{"embed":{"mode":"LIGHT"}}}}');
  // before or after the result of the create
  expect(seen.filter((each) => each.includes('"kind":"CREATED"'))).toHaveLength(1);
  expect([...accounts]).toEqual([expect.stringMatching(/^ada/)]);
  await close();
});

test('plugins of Yoga can reject a document, replace the execution and change a result', async () => {
  const { send, ada, close } = await openWith([
    {
      onValidate({ addValidationRule }) {
        addValidationRule((context: ValidationContext) => ({
          Field(node: FieldNode) {
            if (node.name.value === 'nodes') context.reportError(new GraphQLError('No nodes here.', { nodes: node }));
          },
        }));
      },
      onExecute: ({ args, setResultAndStopExecution }) => {
        if (args.operationName === 'Stopped') setResultAndStopExecution({ data: { stopped: true } });
        return { onExecuteDone: ({ result, setResult }) => setResult({ ...result, extensions: { cost: 1 } }) };
      },
    },
  ]);
  for (let run = 0; run < 2; run++) {
    const { errors } = await (await send(ada, '{ embeds { nodes { id } } }')).json();
    expect(errors).toMatchObject([{ message: 'No nodes here.', extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await (await send(ada, TOTAL)).json()).toEqual({
      data: { embeds: { totalCount: 0 } },
      extensions: { cost: 1 },
    });
  }
  await close();
});
