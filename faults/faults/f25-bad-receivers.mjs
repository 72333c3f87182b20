import { judgeWebhooks } from '../ledger/webhooks.mjs';
import { People } from '../load/people.mjs';
import { BadEndpoints } from '../processes/bad-endpoints.mjs';
import { until } from '../rig/waiting.mjs';

/** What may be read of an answer, and what the buffers of both ends may hold beside it. */
const MOST_BYTES = 8 * 2 ** 20;
const SECOND_TRY_MS = 5_000;
/** The schedule's own spread, and the time until a worker gets to it on a busy machine. */
const SPREAD = 0.1;
const SLACK_MS = 6_000;

/** Receivers of webhooks in every bad state, beside one that is well. */
export const f25 = {
  id: 'F25',
  title: 'Receivers of webhooks that fail in every way',
  lengths: {
    short: { chats: 10, events: 60, perSecond: 20, of: 1 },
    long: { chats: 50, events: 1_000, perSecond: 20, of: 2 },
  },
  async run(rig, { chats: each, events, perSecond, of }, verdict) {
    await rig.open({ platforms: { telegram: {} } });
    const chats = await rig.conversations(each);
    const bad = new BadEndpoints();
    const urls = await bad.open();
    const webhooks = {};
    for (const kind of Object.keys(urls).filter((name) => name !== 'elsewhere')) {
      for (let copy = 0; copy < of; copy += 1) {
        webhooks[kind] = await rig.api.call('POST', '/v1/api/webhooks', {
          url: urls[kind],
          events: ['message.created'],
        });
      }
    }
    const people = new People();
    await people.run(chats, { count: events, perSecond });
    await rig.stored('inbound', events, 240_000);
    const told = await judgeWebhooks(rig);
    verdict.nothingWrong('the healthy one', told);
    await until(() => bad.seen[500].requests.length > 1, 240_000);
    await judgeBad(rig, bad, webhooks, of, verdict);
    bad.close();
  },
};

async function judgeBad(rig, bad, webhooks, of, verdict) {
  const { seen } = bad;
  verdict.bar('redirects followed', seen.elsewhere.requests.length, seen.elsewhere.requests.length === 0);
  const perRequest = seen['endless body'].bytes / Math.max(1, seen['endless body'].requests.length);
  verdict.bar(
    'bytes taken of an endless body',
    Math.round(perRequest),
    perRequest > 0 && perRequest <= MOST_BYTES,
  );
  const { status } = await rig.api.call('GET', `/v1/api/webhooks/${webhooks[410].id}`);
  verdict.bar('who is gone', status, status === 'auto_disabled' || status === 'disabled');
  verdict.bar('tries of who is gone', seen[410].requests.length, seen[410].requests.length <= 10 * of);
  const waits = await secondTries(rig, webhooks[500].id);
  const fits = (ms) => ms >= SECOND_TRY_MS * (1 - SPREAD) && ms <= SECOND_TRY_MS * (1 + SPREAD) + SLACK_MS;
  verdict.bar(
    'second tries at their time',
    `${waits.filter(fits).length} of ${waits.length}`,
    waits.every(fits),
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
async function secondTries(rig, webhookId) {
  const rows = await rig.query(
    `SELECT attempts->0->>'at' AS first, attempts->1->>'at' AS second FROM webhook_deliveries
     WHERE webhook_id = $1 AND jsonb_array_length(attempts) > 1`,
    [webhookId],
  );
  return rows.map(({ first, second }) => Date.parse(second) - Date.parse(first));
}
