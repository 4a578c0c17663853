import { test } from 'vitest';
import { openRawService } from './open-raw-service.ts';
import { expectDiscardTimeout, expectRequestTimeouts } from './slow-clients.ts';

test('disconnects slow senders with the timeouts of the service', async () => {
  const { open, send, as } = await openRawService();
  const { authorization } = await as('ada');
  await Promise.all([expectRequestTimeouts(send, authorization), expectDiscardTimeout(open)]);
});
