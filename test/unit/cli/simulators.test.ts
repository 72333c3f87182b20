import { expect, test } from 'vitest';
import { type BundledSimulator, bundledSimulators } from '../../../adapters/simulators.js';
import { waitUntil } from '../../../src/cli/wait-until.js';

async function firstMessageId(kind: BundledSimulator, firstNumber: number): Promise<string> {
  const simulator = await kind.create({ firstNumber });
  await simulator.start();
  const [chat] = simulator.chats();
  const id = await simulator.post({ chatId: chat?.id ?? '', sender: 'Ada', text: 'Hello' });
  await simulator.stop();
  return id;
}

test.each(bundledSimulators)(
  'a later simulator of $platform repeats no message id of an earlier one',
  async (kind) => {
    const earlier = await firstMessageId(kind, 1);
    // A later simulator starts at least a millisecond later.
    const endedAt = Date.now();
    await waitUntil(() => Date.now() > endedAt, 1_000, 1);
    expect(await firstMessageId(kind, 1000)).not.toBe(earlier);
  },
);
