import { expect, test } from 'vitest';
import { createDevtools, type DevtoolsEvent } from '../../src/render/devtools.ts';

test('reads results and parameters that are null as empty ones', async () => {
  let deliver = (_message: string) => {};
  const devtools = createDevtools({
    send: (message) => deliver(JSON.stringify({ id: JSON.parse(message).id, result: null })),
    receive(onMessage) {
      deliver = onMessage;
    },
  });
  const events: DevtoolsEvent[] = [];
  devtools.listen((event) => events.push(event));
  expect(await devtools.send('Target.createBrowserContext')).toEqual({});
  deliver('{"method":"Target.targetCreated","params":null}');
  expect(events).toEqual([{ method: 'Target.targetCreated', params: {}, sessionId: undefined }]);
});
