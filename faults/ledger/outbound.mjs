import { grouped, inversions, placeIn, tokenOf } from './tokens.mjs';

const ON_PLATFORM = new Set(['sent', 'delivered', 'read']);

/**
 * Compares what the API acknowledged with the store and the platforms. An uncertain message may be on the platform or not, and
 * its order is not guaranteed. `sends` may be a subset of `all`.
 */
export async function judgeSends(rig, sends, all = sends) {
  const rows = await storedSends(rig);
  const seen = await seenOf(sends);
  const byToken = new Map(all.map((send) => [send.token, send]));
  const rowsByToken = grouped(rows, ({ token }) => token);
  const figures = {
    sends: sends.length,
    lost: 0,
    duplicated: 0,
    marked: 0,
    uncertain: 0,
    misordered: 0,
    unexpected: 0,
  };
  const details = [];
  const count = (figure, send, why) => {
    figures[figure] += 1;
    if (details.length < 20) details.push(`${figure}: ${send.token ?? send} ${why}`);
  };
  for (const send of sends) {
    const stored = rowsByToken.get(send.token) ?? [];
    const copies = seen.get(send.token) ?? 0;
    if (stored.length > 1 || send.ids.size > 1)
      count('unexpected', send, `${stored.length} messages for one key`);
    judgeSend(send, stored[0], copies, count);
  }
  for (const token of seen.keys()) if (!byToken.has(token)) count('unexpected', token, 'on the platform');
  for (const token of rowsByToken.keys()) if (!byToken.has(token)) count('unexpected', token, 'in the store');
  figures.misordered = misordered(seen.orders, rowsByToken);
  return { figures, details };
}

function judgeSend(send, row, copies, count) {
  const isAcked = send.ackedAt !== undefined;
  if (row === undefined && isAcked) count('lost', send, 'acknowledged but not stored');
  if (row === undefined && copies > 0)
    count('unexpected', send, `not stored, ${copies} copies on the platform`);
  if (row !== undefined) judgeRow(send, row, copies, count);
  if (row !== undefined && isAcked && !send.ids.has(row.message_id))
    count('unexpected', send, 'stored with another id');
  if (copies > 1) count(row?.was_uncertain ? 'marked' : 'duplicated', send, `${copies} copies`);
}

function judgeRow(send, { status, error }, copies, count) {
  if (status === 'uncertain') count('uncertain', send, `on ${send.chat.platform.name}, ${copies} copies`);
  else if (!ON_PLATFORM.has(status)) count('lost', send, `ended as ${status} ${error ?? ''}`);
  else if (copies === 0) count('lost', send, `${status}, not on the platform`);
}

/** Outbound messages of the load in the store, with their deliveries. */
async function storedSends(rig) {
  const rows = await rig.query(`
    SELECT m.id AS message_id, m.text, coalesce(d.status, m.status) AS status, d.error->>'code' AS error,
      d.uncertain_at IS NOT NULL OR d.resolution IS NOT NULL AS was_uncertain
    FROM messages m LEFT JOIN deliveries d ON d.message_id = m.id WHERE m.direction = 'outbound'`);
  return rows.flatMap((row) => {
    const token = tokenOf(row.text);
    return token?.startsWith('out.') ? [{ ...row, token }] : [];
  });
}

/** Number of copies by token. `orders` holds the tokens of each chat in order, without repeats. */
async function seenOf(sends) {
  const seen = new Map();
  seen.orders = [];
  const chats = [...new Set(sends.map(({ chat }) => chat))];
  for (const [platform, own] of grouped(chats, (chat) => chat.platform)) {
    const texts = await platform.ask(
      'seen',
      own.map(({ chatId }) => chatId),
    );
    for (const chat of texts) {
      const tokens = chat.flatMap(({ own: isOwn, text }) => (isOwn ? (tokenOf(text) ?? []) : []));
      for (const token of tokens) seen.set(token, (seen.get(token) ?? 0) + 1);
      seen.orders.push([...new Set(tokens)]);
    }
  }
  return seen;
}

function misordered(orders, rowsByToken) {
  const certain = (token) => rowsByToken.get(token)?.[0]?.was_uncertain !== true;
  return orders.reduce((sum, tokens) => sum + inversions(tokens.filter(certain).map(placeIn)), 0);
}
