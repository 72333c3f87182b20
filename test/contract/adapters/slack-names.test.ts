import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SlackBench } from '../../support/slack-bench.js';

const CHANNEL = 'C0SIMGENERAL';

let bench: SlackBench;

beforeEach(async () => {
  bench = new SlackBench();
  await bench.startWebhook();
});
afterEach(() => bench.stop());

const say = (text: string) => bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text });
const heard = (id: string) => bench.event('message', ({ messageId }) => messageId === id);

describe('names of people in Slack', () => {
  it('are found even if one lookup fails', async () => {
    bench.simulator.faults.set({ fault: { kind: 'status', status: 500 }, call: 'users.info' });
    expect(await heard(await say('Hi'))).toMatchObject({ sender: { displayName: 'Ann' } });
    expect(bench.simulator.ledger.entries('users.info')).toHaveLength(2);
  });

  it('are requested again soon after an outage', async () => {
    const outage = { kind: 'status', status: 500 } as const;
    bench.simulator.faults.set({ fault: outage, call: 'users.info', times: 2 });
    expect(await heard(await say('one'))).not.toHaveProperty('sender.displayName');
    const later = async () => {
      for (;;) {
        const event = await heard(await say('again'));
        if (event.sender.displayName !== undefined) return event;
      }
    };
    expect(await later()).toMatchObject({ sender: { displayName: 'Ann' } });
  });
});
