import { inParallel } from '../rig/waiting.mjs';
import { grouped } from './tokens.mjs';

/** Number of messages whose traces are checked. Short runs share their machine. */
const SAMPLE = { short: 100, long: 1_000 };
const AT_ONCE = 4;
const KEPT_DETAILS = 10;

/**
 * Compares the traces of random messages with the platforms, the webhooks, and the rows of deliveries and attempts. A trace is
 * wrong if a step is missing, contradicts one of these, or is out of order.
 */
export async function judgeTraces(rig) {
  const all = await rig.query(`
    SELECT m.id, m.direction, EXISTS (SELECT FROM envelopes v WHERE v.id = m.id) AS received_envelope
    FROM messages m WHERE m.deleted_at IS NULL ORDER BY m.id`);
  const messages = rig.random.shuffle(all).slice(0, SAMPLE[rig.length]);
  const facts = await factsOf(
    rig,
    messages.map(({ id }) => id),
  );
  const webhooks = grouped(
    [...rig.receiver.events.values()].filter(({ event }) => event.startsWith('message.')),
    ({ data }) => data.message_id ?? data.id,
  );
  const wrong = await inParallel(messages, AT_ONCE, async (message) => {
    const trace = await rig.api.call('GET', `/v1/openapi/messages/${message.id}/trace`);
    const own = { ...facts(message.id), webhooks: webhooks.get(message.id) ?? [] };
    return problemsOf(trace, message, own).map((problem) => `${message.id}: ${problem}`);
  });
  const steps = wrong.filter((problems) => problems.length > 0);
  return {
    figures: { traces: messages.length, unexpected: steps.length },
    details: steps.flat().slice(0, KEPT_DETAILS),
  };
}

/** Looks up these messages in the database and on the platforms. */
async function factsOf(rig, ids) {
  const deliveries = await rig.query(
    `SELECT d.id, d.message_id, d.connection_id, d.external_chat_id, d.status, d.sent_at IS NOT NULL AS is_sent,
      (SELECT array_agg(p.external_id) FROM delivery_parts p WHERE p.delivery_id = d.id AND p.sent_at IS NOT NULL) AS parts
     FROM deliveries d WHERE d.message_id = ANY ($1)`,
    [ids],
  );
  const attempts = await rig.query(
    `SELECT a.id, a.delivery_id, a.outcome, a.finished_at IS NOT NULL AS is_finished
     FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.message_id = ANY ($1)`,
    [ids],
  );
  const onPlatforms = await idsOnPlatforms(rig, deliveries);
  const ofMessage = grouped(deliveries, ({ message_id }) => message_id);
  const ofDelivery = grouped(attempts, ({ delivery_id }) => delivery_id);
  return (id) => {
    const own = ofMessage.get(id) ?? [];
    return {
      deliveries: own,
      attempts: own.flatMap((delivery) => ofDelivery.get(delivery.id) ?? []),
      onPlatforms,
    };
  };
}

/** The messages of the bots, as `connection chat message`. */
async function idsOnPlatforms(rig, deliveries) {
  const found = new Set();
  const byConnection = grouped(deliveries, ({ connection_id }) => connection_id);
  for (const platform of Object.values(rig.platforms)) {
    const { connectionId } = platform;
    const chats = [
      ...new Set((byConnection.get(connectionId) ?? []).map(({ external_chat_id }) => external_chat_id)),
    ];
    const shown = await platform.ask('seen', chats);
    for (const [at, texts] of shown.entries())
      for (const { id, own } of texts) if (own) found.add(`${connectionId} ${chats[at]} ${id}`);
  }
  return found;
}

function problemsOf({ steps, truncated }, message, facts) {
  const problems = [];
  const check = (isRight, problem) => isRight || problems.push(problem);
  const of = (type) => steps.filter((step) => step.type === type);
  check(!truncated, 'is truncated');
  const times = steps.map(({ at }) => Date.parse(at));
  check(
    times.every((time, at) => at === 0 || time >= times[at - 1]),
    'has steps out of order',
  );
  const [accepted, ...more] = of('message_accepted');
  check(
    accepted !== undefined && more.length === 0 && accepted.direction === message.direction,
    'does not have one correct acceptance',
  );
  check(of('envelope_received').length === (message.received_envelope ? 1 : 0), 'has a wrong envelope');
  checkDeliveries(of, facts, check);
  checkWebhooks(of, facts, check);
  return problems;
}

function checkDeliveries(of, { deliveries, attempts, onPlatforms }, check) {
  check(of('delivery_created').length === deliveries.length, 'has a wrong number of deliveries');
  for (const { id, status, is_sent: isSent, parts, connection_id, external_chat_id } of deliveries) {
    const ofThis = (type) => of(type).filter(({ delivery_id }) => delivery_id === id);
    check((ofThis('delivery_sent').length === 1) === isSent, `contradicts a delivery that is ${status}`);
    const sent = ofThis('part_sent').map(({ external_id }) => external_id);
    check(sent.sort().join() === (parts ?? []).sort().join(), 'does not have the parts that were sent');
    check(!isSent || sent.length > 0, 'has a sent delivery without a part');
    const unknown = sent.filter((part) => !onPlatforms.has(`${connection_id} ${external_chat_id} ${part}`));
    check(unknown.length === 0, `has ${unknown.join()}, which is not on the platform`);
  }
  for (const { id, outcome, is_finished: isFinished } of attempts) {
    const ofThis = (type) => of(type).filter(({ attempt_id }) => attempt_id === id);
    check(ofThis('attempt_started').length === 1, 'lacks the start of an attempt');
    const [finished] = ofThis('attempt_finished');
    check((finished !== undefined) === isFinished, 'is wrong about the end of an attempt');
    check(finished === undefined || finished.status === outcome, `says ${finished?.status}, not ${outcome}`);
  }
  check(of('attempt_started').length === attempts.length, 'has a wrong number of attempts');
}

/** One step with a 204 is enough, because a process that is killed may not record the response to a try. */
function checkWebhooks(of, { webhooks }, check) {
  for (const { id, event } of webhooks) {
    const ofThis = (type) => of(type).filter(({ event_id }) => event_id === id);
    check(ofThis('event_recorded').length === 1, `lacks the event ${event}`);
    check(ofThis('webhook_queued').length === 1, `lacks the webhook of ${event}`);
    check(
      ofThis('webhook_tried').some(({ status_code }) => status_code === 204),
      `lacks the response to ${event}`,
    );
  }
}
