import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type ContentAttachment, plainContent, remoteChatId } from '../../../src/contract/index.js';
import { context, DiscordBench } from '../../support/discord.js';
import { execute } from './telegram-bench.js';
import { TelegramStage } from './telegram-stage.js';

/** The bridge knows the size of a file and the time limit of a write. No client aborts an upload earlier. */

const SLOW_MS = 300_000;
const stage = new TelegramStage();
let discord: DiscordBench;

beforeAll(async () => {
  await stage.open();
  discord = await DiscordBench.open({ limits: 'none' });
});
afterAll(async () => {
  await stage.close();
  await discord.close();
});
afterEach(() => {
  vi.useRealTimers();
});

function stored({ host }: DiscordBench): ContentAttachment {
  const file = { name: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 3, blob: new Blob(['abc']) };
  host.media.set('a', file);
  return { type: 'file', mediaRef: 'a', url: 'https://bridge.example/a', ...file };
}

/** Lets `SLOW_MS` pass once the platform has the request. */
async function slowly<Answer>(write: () => Promise<Answer>, hasArrived: () => boolean): Promise<Answer> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = write();
  answer.catch(() => undefined);
  while (!hasArrived()) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(SLOW_MS);
  vi.useRealTimers();
  return answer;
}

it('an upload to Telegram that takes five minutes succeeds', async () => {
  const { adapter, simulator } = stage;
  const to = { chatId: remoteChatId(stage.person()) };
  const content = { ...plainContent('Look'), attachments: [stage.usual('video')] };
  const [step] = adapter.plan({ type: 'send', to, content }, adapter.capabilities()).steps;
  simulator.faults.set({ fault: { kind: 'delay', ms: SLOW_MS }, call: 'sendVideo' });
  const receipt = await slowly(
    () => execute(adapter, step!, to),
    () => simulator.faults.waiting().length === 0,
  );
  expect(receipt.remoteId).toBeDefined();
});

it('an upload to Discord that takes five minutes succeeds', async () => {
  const { simulator } = discord;
  const adapter = await discord.adapter();
  const to = { chatId: remoteChatId(discord.chat()) };
  const content = { ...plainContent('Look'), attachments: [stored(discord)] };
  const [step] = adapter.plan({ type: 'send', to, content }, adapter.capabilities()).steps;
  simulator.faults.set({ fault: { kind: 'delay', ms: SLOW_MS } });
  const receipt = await slowly(
    () => adapter.execute(step!, context(discord.chat())),
    () => simulator.faults.waiting().length === 0,
  );
  expect(receipt.remoteId).toBeDefined();
});
