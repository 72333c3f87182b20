import { tokenOf } from '../ledger/tokens.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { BadEndpoints } from '../processes/bad-endpoints.mjs';
import { until } from '../rig/waiting.mjs';
import { WebhookReceiver } from '../rig/webhook-receiver.mjs';

/** Limit for the bytes read of a response, plus the socket buffers of both ends. */
const MAX_BYTES = 8 * 2 ** 20;
const SECOND_TRY_MS = 5_000;
/** Jitter of the retry schedule, and the delay until a worker is free on a busy machine. */
const SPREAD = 0.1;
const MAX_DELAY_MS = 6_000;

/** G13: limit for the latency that dead endpoints add to the others. Short runs may share their machine. */
const MAX_ADDED_MS = { short: 5_000, long: 100 };
/** Includes the receiver of the rig. */
const HEALTHY = 4;

/** Webhook receivers with every kind of failure, and some healthy ones. */
export const f25 = {
  id: 'F25',
  title: 'Webhook receivers that fail in every way',
  lengths: {
    short: { chats: 10, events: 80, perSecond: 20, of: 1 },
    long: { chats: 50, events: 1_000, perSecond: 20, of: 2 },
  },
  async run(rig, { chats: each, events, perSecond, of }, verdict) {
    await rig.open({ platforms: { telegram: {} } });
    const healthy = await openHealthy(rig);
    const chats = await rig.conversations(each);
    const people = new People();
    // First without the bad receivers, as the baseline.
    const before = Math.floor(events / 4);
    await people.run(chats, { count: before, perSecond });
    await judgeWebhooks(rig);
    const bad = new BadEndpoints();
    const urls = await bad.open();
    const webhooks = await register(rig, urls, of);
    await people.run(chats, { count: events - before, perSecond });
    const stored = await rig.stored('inbound', events, 240_000);
    verdict.criterion('stored', `${stored} of ${events}`, stored === events);
    for (const [number, receiver] of healthy.entries()) {
      verdict.nothingWrong(`healthy receiver ${number + 1}`, await judgeWebhooks(rig, receiver));
      judgeWaits(rig, receiver, people.posts, { before, number: number + 1 }, verdict);
    }
    await until(() => bad.seen[500].requests.length > 1, 240_000);
    await until(async () => (await secondTries(rig, webhooks[500])).length > 0, 60_000, 200);
    verdict.add('endpoints', healthy.length + Object.values(webhooks).flat().length);
    await judgeBad(rig, bad, webhooks, of, verdict);
    bad.close();
    for (const receiver of healthy.slice(1)) await receiver.close();
  },
};

async function openHealthy(rig) {
  const healthy = [rig.receiver];
  while (healthy.length < HEALTHY) {
    const receiver = new WebhookReceiver();
    await rig.api.call('POST', '/v1/api/webhooks', {
      url: await receiver.open(),
      events: ['message.created'],
    });
    healthy.push(receiver);
  }
  return healthy;
}

/** Registers `of` endpoints of each bad kind. Resolves with their ids by kind. */
async function register(rig, urls, of) {
  const webhooks = {};
  for (const kind of Object.keys(urls).filter((name) => name !== 'elsewhere')) {
    webhooks[kind] = [];
    for (let copy = 0; copy < of; copy += 1) {
      const body = { url: urls[kind], events: ['message.created'] };
      webhooks[kind].push((await rig.api.call('POST', '/v1/api/webhooks', body)).id);
    }
  }
  return webhooks;
}

/** Compares the time from post to webhook without and with the bad receivers. */
function judgeWaits(rig, receiver, posts, { before, number }, verdict) {
  const at = new Map(receiver.of('message.created').map((one) => [tokenOf(one.data.text ?? ''), one.at]));
  const waits = posts.map((post) => at.get(post.token) - post.at).filter(Number.isFinite);
  const [alone, together] = [percentile95(waits.slice(0, before)), percentile95(waits.slice(before))];
  verdict.add(`p95 of healthy receiver ${number}`, { 'ms without': alone, 'ms with bad ones': together });
  verdict.timeCriterion(
    `healthy receiver ${number}: added to the p95`,
    `${together - alone} ms`,
    waits.length === posts.length && together - alone <= MAX_ADDED_MS[rig.length],
  );
}

function percentile95(values) {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * 0.95) - 1)] ?? Number.NaN;
}

async function judgeBad(rig, bad, webhooks, of, verdict) {
  const { seen } = bad;
  const followed = seen.elsewhere.requests.length;
  verdict.criterion('redirects followed', followed, followed === 0);
  const perRequest = seen['endless body'].bytes / Math.max(1, seen['endless body'].requests.length);
  verdict.criterion(
    'bytes read of an endless body',
    Math.round(perRequest),
    perRequest > 0 && perRequest <= MAX_BYTES,
  );
  for (const id of webhooks[410]) {
    const { status } = await rig.api.call('GET', `/v1/api/webhooks/${id}`);
    const isDisabled = status === 'auto_disabled' || status === 'disabled';
    verdict.criterion('webhook status after 410', status, isDisabled);
  }
  verdict.criterion('tries after 410', seen[410].requests.length, seen[410].requests.length <= 10 * of);
  const waits = await secondTries(rig, webhooks[500]);
  const fits = (ms) =>
    ms >= SECOND_TRY_MS * (1 - SPREAD) && ms <= SECOND_TRY_MS * (1 + SPREAD) + MAX_DELAY_MS;
  verdict.timeCriterion(
    'second tries on schedule',
    `${waits.filter(fits).length} of ${waits.length}`,
    waits.length > 0 && waits.every(fits),
  );
  verdict.happened('tries of the endpoints that return 500', seen[500].requests.length, 2);
  const untried = Object.keys(webhooks).filter((kind) => seen[kind].requests.length === 0);
  verdict.criterion('kinds of endpoints not tried', untried.join(' ') || 'none', untried.length === 0);
  verdict.add(
    'tries',
    Object.fromEntries(Object.entries(seen).map(([kind, { requests }]) => [kind, requests.length])),
  );
}

/** Milliseconds between the first and the second try of each delivery with both. */
async function secondTries(rig, webhookIds) {
  const rows = await rig.query(
    `SELECT attempts->0->>'at' AS first, attempts->1->>'at' AS second FROM webhook_deliveries
     WHERE webhook_id = ANY ($1) AND jsonb_array_length(attempts) > 1`,
    [webhookIds],
  );
  return rows.map(({ first, second }) => Date.parse(second) - Date.parse(first));
}
