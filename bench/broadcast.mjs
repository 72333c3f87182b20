import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WRITES } from '../dist/src/core/deliveries/dispatch/lease-sizes.js';
import { startChild } from './support/child.mjs';
import { withServers } from './support/servers.mjs';
import { settled, startService, withDataDir } from './support/service.mjs';
import { median } from './support/stats.mjs';

const RECIPIENTS = 10_000;
const ROUNDS = 3;
const REQUIRED = 0.5;
/** Fewer messages for the loop that waits for each response. */
const ONE_BY_ONE = 2_000;
const POLL_MS = 20;
const LIMIT_MS = 120_000;
const TEXT = 'Our shop is closed next Monday. Orders until Sunday evening are sent on Tuesday.';

/**
 * Sending a broadcast, against the platform's SDK: once with as many parallel calls, once with one call after another, as a
 * simple program does it. All send to one simulator. Most installations have the embedded database; large ones have
 * PostgreSQL and Redis servers.
 */
export async function broadcast() {
  const embedded = await onGround();
  const served = await withServers((servers) => onGround(servers));
  return [
    line('to contacts with a chat', embedded.known, true),
    line(
      'to contacts with a chat, against the SDK in a loop that waits for each answer',
      embedded.oneByOne,
      true,
    ),
    line('to addresses never written to, their contacts and chats made on the way', embedded.newcomers),
    line('to contacts with a chat, with PostgreSQL and Redis as servers', served.known),
  ];
}

/** Only the broadcast to contacts with a chat, on `servers`. */
export async function broadcastOn(servers) {
  return line('to contacts with a chat', (await onGround(servers)).known, true);
}

function onGround(servers) {
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir, { env: servers?.env });
    const simulator = await startChild('simulator', 'telegram', 'sendMessage');
    const sdk = await startChild('telegram-sdk');
    try {
      const { account } = simulator.info;
      await connect(service, account);
      const addresses = await simulator.ask({ question: 'addresses', count: RECIPIENTS });
      const newcomers = await simulator.ask({ question: 'addresses', from: RECIPIENTS, count: RECIPIENTS });
      const bare = async (concurrency = MAX_WRITES, count = RECIPIENTS) => {
        await simulator.ask({ question: 'forget' });
        const { seconds } = await sdk.ask({
          account,
          addresses: addresses.slice(0, count),
          concurrency,
          text: TEXT,
        });
        return { perSecond: count / seconds };
      };
      const send = async (recipients) => {
        const result = await sendBroadcast(service, simulator, recipients);
        await settled(dataDir, servers);
        return result;
      };
      await bare();
      // Creates the contacts and chats of the later rounds. Its figure is that of an audience without chats.
      await send(addresses);
      const first = [await send(newcomers)];
      const [ours, limit, loop] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        limit.push(await bare());
        loop.push(await bare(1, ONE_BY_ONE));
        ours.push(await send(addresses));
      }
      return { known: { ours, limit }, oneByOne: { ours, limit: loop }, newcomers: { ours: first, limit } };
    } finally {
      await sdk.stop();
      await service.stop();
      await simulator.stop();
    }
  });
}

async function connect(service, { credentials, settings }) {
  const { id } = await service.call('POST', '/openapi/platforms/telegram/connections', {
    name: 'Bench',
    credentials,
    settings: { ...settings, rate_per_second: 0 },
  });
  for (;;) {
    const { status } = await service.call('GET', `/openapi/platforms/connections/${id}`);
    if (status === 'connected') return;
    await sleep(POLL_MS);
  }
}

/** The time from the request until the last message reached the platform. The broadcast must count all messages as sent. */
async function sendBroadcast(service, simulator, addresses) {
  await simulator.ask({ question: 'forget' });
  const requestedAt = Date.now();
  const { id } = await service.call('POST', '/openapi/broadcasts', {
    text: TEXT,
    audience: { recipients: addresses.map((address) => ({ platform: 'telegram', address })) },
  });
  // Polls the platform. The record of a broadcast contains its whole audience, which is too large to poll.
  let sends;
  do {
    await sleep(5 * POLL_MS);
    sends = await simulator.ask({ question: 'sends' });
  } while (sends.count < addresses.length && Date.now() - requestedAt < LIMIT_MS);
  let record;
  do {
    await sleep(POLL_MS);
    record = await service.call('GET', `/openapi/broadcasts/${id}`);
  } while (
    !['completed', 'failed', 'expired'].includes(record.status) &&
    Date.now() - requestedAt < LIMIT_MS
  );
  const { count, firstAt, lastAt } = sends;
  if (count !== addresses.length || record.counts.sent !== count) {
    throw new Error(`${addresses.length} expected, ${count} sent, counts ${JSON.stringify(record.counts)}`);
  }
  return {
    perSecond: count / ((lastAt - requestedAt) / 1000),
    sending: count / ((lastAt - firstAt) / 1000),
    firstAfterMs: firstAt - requestedAt,
  };
}

function line(what, { ours, limit }, binding = false) {
  const middle = (results, name) => median(results.map((result) => result[name]));
  const ratio = middle(ours, 'perSecond') / middle(limit, 'perSecond');
  const first = (middle(ours, 'firstAfterMs') / 1000).toFixed(1);
  return {
    what: `Broadcast of ${RECIPIENTS} on Telegram ${what}, request to last message`,
    ours: `${Math.round(middle(ours, 'perSecond'))}/s, first after ${first} s, then ${Math.round(middle(ours, 'sending'))}/s`,
    limit: `${Math.round(middle(limit, 'perSecond'))}/s`,
    figure: ratio.toFixed(2),
    required: binding ? `≥ ${REQUIRED}` : '–',
    met: !binding || ratio >= REQUIRED,
  };
}
