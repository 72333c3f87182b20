import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bundledSimulators } from '../../../adapters/simulators.js';
import { ledgerTable, sumOf } from '../../../src/cli/demo/ledgers.js';
import type { SimulatedPlatform } from '../../../src/cli/simulators/simulated-platforms.js';

const GROUP = '-1001000000001';
const MISSING = '-1009999999999';

let platform: SimulatedPlatform;
let url: string;

beforeEach(async () => {
  const kind = bundledSimulators.find(({ platform: name }) => name === 'telegram');
  if (kind === undefined) throw new Error('There is no such simulator.');
  const simulator = await kind.create();
  const { apiBaseUrl } = await simulator.start();
  url = `${apiBaseUrl}/bot${simulator.account().credentials.bot_token}/sendMessage`;
  platform = { ...kind, simulator, connectionId: '' };
});
afterEach(() => platform.simulator.stop());

const send = (chatId: string, text: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: chatId, text }),
  });

describe('The sums of a ledger', () => {
  test('count a text that occurs twice in one chat as a duplicate', async () => {
    await send(GROUP, 'once');
    await send(GROUP, 'twice');
    await send(GROUP, 'twice');
    expect(sumOf(platform, 7)).toMatchObject({ sent: 3, duplicates: 1, limited: 0, received: 7 });
  });

  test('count neither refused calls as sent nor one text in two chats as a duplicate', async () => {
    await send(GROUP, 'same');
    await send(platform.simulator.address(0), 'same');
    await send(MISSING, 'same');
    const sum = sumOf(platform, 0);
    expect(sum).toMatchObject({ sent: 2, duplicates: 0, calls: { sendMessage: 3 } });
    expect(ledgerTable([sum])).toMatch(/│ telegram │ sendMessage 3 │ +2 │ +0 │ +0 │ +0 │ +0 │/);
  });

  test('count calls that the platform refused for its rate limit', async () => {
    platform.simulator.faults.set({ fault: { kind: 'rate_limited', retryAfterMs: 1000 } });
    await send(GROUP, 'early');
    expect(sumOf(platform, 0)).toMatchObject({ sent: 0, limited: 1 });
  });
});
