import { until } from '../rig/waiting.mjs';
import { tokenOf } from './tokens.mjs';

/** Time limit for recovering the jobs of a lost queue. Short runs may share their machine. */
const FOUND_MS = { short: 240_000, long: 30_000 };

/** Compares the webhooks with the store. Each message must arrive with exactly one event id. */
export async function judgeWebhooks(rig, receiver = rig.receiver) {
  const rows = await rig.query(`SELECT data->>'text' AS text FROM events WHERE type = 'message.created'`);
  const stored = new Set(rows.flatMap(({ text }) => tokenOf(text) ?? []));
  const startedAt = performance.now();
  await until(() => idsByToken(receiver).size >= stored.size, FOUND_MS[rig.length], 100);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const received = idsByToken(receiver);
  const missing = [...stored].filter((token) => !received.has(token));
  const twice = [...received].filter(([, ids]) => ids.size > 1);
  const unexpected = [...received.keys()].filter((token) => !stored.has(token));
  const figures = { lost: missing.length, duplicated: twice.length, unexpected: unexpected.length };
  return {
    figures: { webhooks: stored.size, ...figures, 'seconds later': seconds },
    details: missing.slice(0, 5).map((token) => `webhook of ${token} did not arrive`),
  };
}

/** The event ids of each message. */
function idsByToken(receiver) {
  const received = new Map();
  for (const { id, data } of receiver.of('message.created')) {
    const token = tokenOf(data.text ?? '');
    if (token !== undefined) received.set(token, (received.get(token) ?? new Set()).add(id));
  }
  return received;
}
