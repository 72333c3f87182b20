import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './support/child.mjs';
import { startService, withDataDir } from './support/service.mjs';

const RECIPIENTS = 10_000;
/** Duration of the broadcast that warms up process and database. */
const WARM_UP_SECONDS = 5;
const SLOWEST = 1.05;
const MAX_REFUSED = 0.001;
const MAX_WAIT_MS = 1_000;
const REPLY_EVERY_MS = 2_000;
const TEXT = 'Our shop is closed next Monday. Orders until Sunday evening are sent on Tuesday.';

/**
 * The documented limits of one account, and the factor by which they are faster here. `each`: calls per recipient.
 * `platform`: set where it differs from the name.
 */
const PLATFORMS = {
  telegram: { call: 'sendMessage', perSecond: 30, faster: 1, each: 1, of: 'Telegram, 30 a second' },
  'telegram-paid': {
    platform: 'telegram',
    call: 'sendMessage',
    perSecond: 1_000,
    faster: 1,
    // Its simulator has the limits of a bot without paid broadcasts.
    simulatedFaster: 1_000 / 30,
    each: 1,
    of: 'Telegram, paid, 1,000 a second',
  },
  discord: {
    call: 'POST /channels/:id/messages',
    perSecond: 50,
    faster: 2,
    each: 2,
    of: 'Discord, 50 requests a second, each direct message opened first',
  },
  // Slack does not publish the limit of a workspace. One message per second is the limit of a channel.
  slack: {
    call: 'chat.postMessage',
    perSecond: 1,
    faster: 100,
    each: 1,
    of: 'Slack, a message a second in one workspace',
  },
  sms: {
    call: 'messages.create',
    perSecond: 1,
    faster: 100,
    each: 1,
    of: 'SMS, a long code’s segment a second',
  },
};

/** A broadcast within the documented limits of a platform, against the time that the limits alone require. */
export async function limitsPlatform({ only, rows = RECIPIENTS } = {}) {
  const names = only === undefined ? Object.keys(PLATFORMS) : [only];
  const lines = [];
  for (const name of names) lines.push(...(await measured(name, PLATFORMS[name], rows)));
  return lines;
}

async function measured(key, limits, recipients) {
  const { platform: name = key, faster, simulatedFaster = faster, call } = limits;
  return withDataDir(async (dataDir) => {
    const service = await startService(dataDir);
    const simulator = await startChild('simulator', name, call, String(simulatedFaster));
    try {
      const connection = await connect(service, name, simulator.info.account, limits);
      const conversation = await service.call('POST', '/openapi/conversations', {
        links: [{ connection_id: connection, external_id: await simulator.ask({ question: 'chat' }) }],
      });
      const warmUp = Math.ceil(limits.perSecond * faster * WARM_UP_SECONDS);
      const first = await simulator.ask({ question: 'addresses', from: 20_000, count: warmUp });
      await sendBroadcast(service, simulator, name, first, conversation.id);
      await simulator.ask({ question: 'forget' });
      const addresses = await simulator.ask({ question: 'addresses', from: 1_000, count: recipients });
      const result = await sendBroadcast(service, simulator, name, addresses, conversation.id);
      return linesOf(limits, recipients, result);
    } finally {
      await service.stop();
      await simulator.stop();
    }
  });
}

async function connect(service, name, { credentials, settings }, { perSecond, faster }) {
  const { id } = await service.call('POST', `/openapi/platforms/${name}/connections`, {
    name: 'Bench',
    credentials,
    settings: { ...settings, rate_per_second: perSecond * faster },
  });
  for (;;) {
    const { status } = await service.call('GET', `/openapi/platforms/connections/${id}`);
    if (status === 'connected') return id;
    await sleep(20);
  }
}

/** The time from the request until the last message reached the platform, with a reply every two seconds. */
async function sendBroadcast(service, simulator, name, addresses, conversationId) {
  const requestedAt = Date.now();
  const { id } = await service.call('POST', '/openapi/broadcasts', {
    text: TEXT,
    audience: { recipients: addresses.map((address) => ({ platform: name, address })) },
  });
  const askedAt = [];
  let record;
  do {
    await sleep(REPLY_EVERY_MS);
    record = await service.call('GET', `/openapi/broadcasts/${id}`);
    if (record.status !== 'sending') continue;
    askedAt.push(Date.now());
    await service.call('POST', '/openapi/messages', {
      conversation_id: conversationId,
      text: 'A live reply.',
    });
  } while (!['completed', 'failed', 'expired'].includes(record.status));
  await sleep(MAX_WAIT_MS);
  const { count, firstAt, lastAt } = await simulator.ask({ question: 'sends' });
  const { calls, refused } = await simulator.ask({ question: 'calls' });
  const arrivedAt = await simulator.ask({ question: 'replies' });
  if (arrivedAt.length !== askedAt.length)
    throw new Error(`${askedAt.length} replies were sent, ${arrivedAt.length} arrived within a second.`);
  const { sent, delivered, read } = record.counts;
  if (sent + delivered + read !== addresses.length || count < addresses.length + arrivedAt.length) {
    throw new Error(`${addresses.length} expected, ${count} sent, counts ${JSON.stringify(record.counts)}`);
  }
  const waits = arrivedAt.map((at, index) => at - askedAt[index]);
  return {
    seconds: (lastAt - requestedAt) / 1000,
    firstAfterMs: firstAt - requestedAt,
    calls,
    refused,
    waits,
  };
}

function linesOf(
  { of, perSecond, faster, each },
  recipients,
  { seconds, firstAfterMs, calls, refused, waits },
) {
  const ideal = ((recipients + waits.length) * each) / (perSecond * faster);
  const ratio = seconds / ideal;
  const longest = Math.max(0, ...waits);
  const scaled = faster === 1 ? '' : `, ${faster} times as fast`;
  return [
    {
      what: `Broadcast of ${recipients} within the limits of ${of}${scaled}`,
      ours: `${seconds.toFixed(1)} s, first after ${(firstAfterMs / 1000).toFixed(1)} s`,
      limit: `${ideal.toFixed(1)} s`,
      figure: ratio.toFixed(3),
      required: `≤ ${SLOWEST}`,
      met: ratio <= SLOWEST,
    },
    {
      what: `– calls that were answered with 429`,
      ours: `${refused} of ${calls}`,
      limit: '–',
      figure: `${((100 * refused) / calls).toFixed(3)} %`,
      required: `< ${MAX_REFUSED * 100} %`,
      met: refused / calls < MAX_REFUSED,
    },
    {
      what: `– a live reply meanwhile, request to platform, the longest of ${waits.length}`,
      ours: `${longest} ms`,
      limit: '–',
      figure: `${(longest / 1000).toFixed(2)} s`,
      required: `< ${MAX_WAIT_MS / 1000} s`,
      met: longest < MAX_WAIT_MS,
    },
  ];
}
