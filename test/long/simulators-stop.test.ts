import { expect, test } from 'vitest';
import { startService } from '../support/service.js';

test('A service that is stopped before its simulators are connected ends without an error.', async () => {
  // It listens already, and is about to create the connections of its simulators.
  const service = await startService({ simulators: true });
  expect(await service.stop()).toBe(0);
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
});
