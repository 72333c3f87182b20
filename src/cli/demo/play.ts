import type { BroadcastRecord } from '../../core/broadcasts/record.js';
import type { ProtocolRecord } from '../../core/platforms/record.js';
import { waitUntil } from '../wait-until.js';
import { Bridge } from './bridge.js';
import { followBroadcast, reachOf, readBroadcast, startBroadcast } from './broadcast.js';
import { ledgerTable, sumLedgers } from './ledgers.js';
import { type Progress, seconds } from './progress.js';
import type { Stage, StageOptions } from './stage.js';

export const STEPS = 8;
const RECIPIENTS_EACH = 50;
/**
 * Messages per second of a toll-free number or short code. An ordinary number would need a minute for its part of the
 * broadcast.
 */
const FAST_SENDER = 20;
const SLOW_PLATFORM = 'sms';

export function stageOptions(program: string): StageOptions {
  return {
    program,
    simulator: (platform) => ({ limits: platform === SLOW_PLATFORM ? 'none' : 'documented' }),
    settings: (platform) => (platform === SLOW_PLATFORM ? { rate_per_second: FAST_SENDER } : {}),
  };
}

/** Performs the eight steps in order. */
export async function play(stage: Stage, progress: Progress): Promise<void> {
  progress.line('Trunkline demo: the service and four simulated platforms, on this machine alone.');
  progress.step('Start the service and connect four platforms');
  await connect(stage, progress);
  const bridge = new Bridge(stage, progress);
  progress.step('Link one chat of each platform to one conversation');
  await bridge.open();
  progress.step('Send one message by REST');
  await bridge.send();
  progress.step('A person replies on each platform');
  await bridge.reply();
  progress.step('Edit by REST, and on a platform');
  await bridge.edit();
  progress.step(`Broadcast to ${RECIPIENTS_EACH * stage.platforms.all.length} people`);
  await broadcast(stage, progress);
  progress.step('Webhooks');
  await webhooks(stage, progress);
  progress.step('What the platforms saw');
  await ledgers(stage, progress);
}

async function connect(stage: Stage, progress: Progress): Promise<void> {
  const startedAt = Date.now();
  const url = await stage.startService();
  progress.note(
    `${url}, a process of its own (${stage.service.pid}) after ${seconds(Date.now() - startedAt)}`,
  );
  await stage.subscribe();
  await stage.connect();
  for (const { platform, status, health } of await stage.connections()) {
    const trouble = status === 'connected' ? '' : ` (${health.message})`;
    progress.check(status === 'connected', `${platform}: ${status}${trouble}`);
  }
}

async function broadcast(stage: Stage, progress: Progress): Promise<void> {
  const total = RECIPIENTS_EACH * stage.platforms.all.length;
  progress.note(
    `All simulators enforce their documented limits, but for ${SLOW_PLATFORM}: its sender is set to`,
  );
  progress.note(`${FAST_SENDER} messages a second, because the documented one a second would take a minute.`);
  const startedAt = Date.now();
  const { id } = await startBroadcast(stage, RECIPIENTS_EACH);
  const bar = progress.bar(total, 'reached');
  const ended = await followBroadcast(stage, id, ({ counts, status }) =>
    bar.update(counts.total - counts.pending, status),
  );
  bar.stop();
  progress.check(
    ended?.status === 'completed' && arrived(ended) === total,
    `${ended?.status ?? 'not completed'} after ${seconds(Date.now() - startedAt)}: ${
      ended === undefined ? 'no end seen' : summary(ended)
    }`,
  );
  const reach = await reachOf(stage, id);
  for (const { platform } of stage.platforms.all) {
    const once = reach.filter((one) => one.platform === platform && one.copies === 1).length;
    progress.check(
      once === RECIPIENTS_EACH,
      `${platform}: ${once} of ${RECIPIENTS_EACH} people hold one copy`,
    );
  }
  await receipts(stage, progress, id);
}

/** Checks that the broadcast has the delivery receipts of all platforms that send them. */
async function receipts(stage: Stage, progress: Progress, broadcastId: string): Promise<void> {
  const protocols = await stage.client.all<ProtocolRecord>('/openapi/protocols');
  const telling = protocols.filter(
    ({ id, capabilities }) =>
      capabilities.ops.delivered === 'native' && stage.platforms.all.some(({ platform }) => platform === id),
  );
  const expected = telling.length * RECIPIENTS_EACH;
  const read = async () => (await readBroadcast(stage, broadcastId)).counts.delivered;
  await waitUntil(async () => (await read()) === expected);
  const delivered = await read();
  progress.check(
    delivered === expected,
    `${telling.map(({ id }) => id).join(', ')}: ${delivered} of ${expected} receipts are recorded`,
  );
}

function arrived({ counts }: BroadcastRecord): number {
  return counts.sent + counts.delivered + counts.read;
}

function summary({ counts }: BroadcastRecord): string {
  const named = Object.entries(counts).filter(([name, count]) => name !== 'total' && count > 0);
  return named.map(([name, count]) => `${count} ${name}`).join(', ');
}

async function webhooks(stage: Stage, progress: Progress): Promise<void> {
  const { client, receiver, webhookId } = stage;
  const deliveries = `/api/webhooks/${webhookId}/deliveries`;
  const messages = await client.count('/openapi/messages');
  // Receipts still arrive, and each one causes events. All events are delivered when all counts agree at the same time.
  const allDelivered = async () => {
    const succeeded = await client.count(`${deliveries}?filter=status:succeeded`);
    const all = await client.count(deliveries);
    const agree = all === succeeded && receiver.distinct === succeeded;
    return agree && receiver.counts()['message.created'] === messages ? succeeded : undefined;
  };
  const succeeded = await waitUntil(allDelivered, undefined, 200);
  progress.check(succeeded !== undefined, 'no event waits for the webhook');
  progress.check(
    succeeded !== undefined && receiver.distinct >= succeeded,
    `${receiver.distinct} different events received in ${receiver.requests} requests, ${succeeded} recorded as delivered`,
  );
  progress.check(
    receiver.refused.length === 0 && receiver.requests > 0,
    `X-Service-Signature and Standard Webhooks signature right on all ${receiver.requests} requests`,
  );
  const counts = receiver.counts();
  progress.check(
    counts['message.created'] === messages,
    `${counts['message.created'] ?? 0} message.created for ${messages} messages`,
  );
  for (const [event, count] of Object.entries(counts))
    progress.note(`${String(count).padStart(6)}  ${event}`);
}

async function ledgers(stage: Stage, progress: Progress): Promise<void> {
  const sums = await sumLedgers(stage);
  progress.line(ledgerTable(sums));
  const duplicates = sums.reduce((sum, each) => sum + each.duplicates, 0);
  progress.check(duplicates === 0, `${duplicates} duplicates`);
}
