import { tokenOf } from '../ledger/tokens.mjs';
import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { BadEndpoints } from '../processes/bad-endpoints.mjs';
import { until } from '../rig/waiting.mjs';
import { WebhookReceiver } from '../rig/webhook-receiver.mjs';

/** What may be read of an answer, and what the buffers of both ends may hold beside it. */
const MAX_BYTES = 8 * 2 ** 20;
const SECOND_TRY_MS = 5_000;
/** The schedule's own spread, and the time until a worker gets to it on a busy machine. */
const SPREAD = 0.1;
const SLACK_MS = 6_000;

/** G13: what dead endpoints may add to the others; short runs may share their machine. */
const MAX_ADDED_MS = { short: 5_000, long: 100 };
/** With the one of the rig itself. */
const HEALTHY = 4;

/** Receivers of webhooks in every bad state, beside some that are well. */
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
    // First without the bad ones, for a time to hold against.
    const before = Math.floor(events / 4);
    await people.run(chats, { count: before, perSecond });
    await judgeWebhooks(rig);
    const bad = new BadEndpoints();
    const urls = await bad.open();
    const webhooks = await register(rig, urls, of);
    await people.run(chats, { count: events - before, perSecond });
    const stored = await rig.stored('inbound', events, 240_000);
    verdict.bar('stored', `${stored} of ${events}`, stored === events);
    for (const [number, receiver] of healthy.entries()) {
      verdict.nothingWrong(`healthy ${number + 1}`, await judgeWebhooks(rig, receiver));
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

/** So many endpoints of each bad kind; resolves with their ids by kind. */
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

/** From the post to the webhook, without the bad ones and with them. */
function judgeWaits(rig, receiver, posts, { before, number }, verdict) {
  const at = new Map(receiver.of('message.created').map((one) => [tokenOf(one.data.text ?? ''), one.at]));
  const waits = posts.map((post) => at.get(post.token) - post.at).filter(Number.isFinite);
  const [alone, together] = [percentile95(waits.slice(0, before)), percentile95(waits.slice(before))];
  verdict.add(`p95 of healthy ${number}`, { 'ms without': alone, 'ms with bad ones': together });
  verdict.timed(
    `healthy ${number}: added to its p95`,
    `${together - alone} ms`,
    waits.length === posts.length && together - alone <= MAX_ADDED_MS[rig.length],
  );
}

function percentile95(values) {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * 0.95) - 1)] ?? Number.NaN;
}

async function judgeBad(rig, bad, webhooks, of, verdict) {
  const { seen } = bad;
  verdict.bar('redirects followed', seen.elsewhere.requests.length, seen.elsewhere.requests.length === 0);
  const perRequest = seen['endless body'].bytes / Math.max(1, seen['endless body'].requests.length);
  verdict.bar(
    'bytes taken of an endless body',
    Math.round(perRequest),
    perRequest > 0 && perRequest <= MAX_BYTES,
  );
  for (const id of webhooks[410]) {
    const { status } = await rig.api.call('GET', `/v1/api/webhooks/${id}`);
    verdict.bar('who is gone', status, status === 'auto_disabled' || status === 'disabled');
  }
  verdict.bar('tries of who is gone', seen[410].requests.length, seen[410].requests.length <= 10 * of);
  const waits = await secondTries(rig, webhooks[500]);
  const fits = (ms) => ms >= SECOND_TRY_MS * (1 - SPREAD) && ms <= SECOND_TRY_MS * (1 + SPREAD) + SLACK_MS;
  verdict.timed(
    'second tries at their time',
    `${waits.filter(fits).length} of ${waits.length}`,
    waits.length > 0 && waits.every(fits),
  );
  verdict.struck('tries of the one that fails', seen[500].requests.length, 2);
  const tried = Object.keys(webhooks).filter((kind) => seen[kind].requests.length === 0);
  verdict.bar('endpoints nobody tried', tried.join(' ') || 'none', tried.length === 0);
  verdict.add(
    'tries',
    Object.fromEntries(Object.entries(seen).map(([kind, { requests }]) => [kind, requests.length])),
  );
}

/** Milliseconds between the first and the second try of each delivery that had both. */
async function secondTries(rig, webhookIds) {
  const rows = await rig.query(
    `SELECT attempts->0->>'at' AS first, attempts->1->>'at' AS second FROM webhook_deliveries
     WHERE webhook_id = ANY ($1) AND jsonb_array_length(attempts) > 1`,
    [webhookIds],
  );
  return rows.map(({ first, second }) => Date.parse(second) - Date.parse(first));
}
