import { until } from '../rig/waiting.mjs';
import { tokenOf } from './tokens.mjs';

/** What was lost with a queue is found again within this; short runs may share their machine. */
const FOUND_MS = { short: 240_000, long: 30_000 };

/** What webhooks told, against what the store holds: each message once, under one id. */
export async function judgeWebhooks(rig, receiver = rig.receiver) {
  const rows = await rig.query(`SELECT data->>'text' AS text FROM events WHERE type = 'message.created'`);
  const stored = new Set(rows.flatMap(({ text }) => tokenOf(text) ?? []));
  const startedAt = performance.now();
  await until(() => toldOf(receiver).size >= stored.size, FOUND_MS[rig.length], 100);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const told = toldOf(receiver);
  const missing = [...stored].filter((token) => !told.has(token));
  const twice = [...told].filter(([, ids]) => ids.size > 1);
  const unexpected = [...told.keys()].filter((token) => !stored.has(token));
  const figures = { lost: missing.length, duplicated: twice.length, unexpected: unexpected.length };
  return {
    figures: { webhooks: stored.size, ...figures, 'seconds later': seconds },
    details: missing.slice(0, 5).map((token) => `webhook of ${token} never came`),
  };
}

/** The ids under which each message was told. */
function toldOf(receiver) {
  const told = new Map();
  for (const { id, data } of receiver.of('message.created')) {
    const token = tokenOf(data.text ?? '');
    if (token !== undefined) told.set(token, (told.get(token) ?? new Set()).add(id));
  }
  return told;
}
