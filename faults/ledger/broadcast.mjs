import { grouped } from './tokens.mjs';

/** Starts a broadcast to `count` people of a platform. */
export async function startBroadcast(rig, platform, count, from = 100_000) {
  const addresses = await platform.ask('addresses', from, count);
  const { id } = await rig.api.call('POST', '/v1/openapi/broadcasts', {
    name: 'Fault suite',
    category: 'transactional',
    text: `To everybody, ${rig.seed}.`,
    audience: { recipients: addresses.map((address) => ({ platform: platform.platform, address })) },
  });
  return { id, platform, addresses, text: `To everybody, ${rig.seed}.` };
}

export function readBroadcast(rig, { id }) {
  return rig.api.call('GET', `/v1/openapi/broadcasts/${id}`);
}

/** Counts the copies that each recipient got, and checks the counts of the broadcast. */
export async function judgeBroadcast(rig, broadcast, verdict, name = 'broadcast') {
  const { counts, status } = await readBroadcast(rig, broadcast);
  const rows = await rig.query(
    `SELECT d.external_chat_id AS chat, d.status FROM deliveries d JOIN messages m ON m.id = d.message_id WHERE m.broadcast_id = $1`,
    [broadcast.id],
  );
  const seen = await broadcast.platform.ask(
    'seen',
    rows.map(({ chat }) => chat),
  );
  const copies = seen.map((texts) => texts.filter(({ own, text }) => own && text === broadcast.text).length);
  const byStatus = [...grouped(rows, (row) => row.status)].map(([name, list]) => [name, list.length]);
  const twice = copies.filter((each) => each > 1).length;
  const isSent = ({ status: each }) => ['sent', 'delivered', 'read'].includes(each);
  const lost = rows.filter((row, at) => isSent(row) && copies[at] === 0).length;
  const hidden = rows.filter(
    (row, at) => !isSent(row) && row.status !== 'uncertain' && copies[at] > 0,
  ).length;
  const { total } = counts;
  const sum = addUp(counts);
  // A run with several broadcasts shows only their criteria.
  if (name === 'broadcast')
    verdict.add(name, {
      recipients: broadcast.addresses.length,
      status,
      ...Object.fromEntries(byStatus),
    });
  verdict.criterion(
    `${name}: counts add up`,
    `${sum} of ${total}`,
    sum === total && total === broadcast.addresses.length,
  );
  verdict.criterion(`${name}: recipients with duplicates`, twice, twice === 0);
  verdict.criterion(`${name}: sent but not on the platform`, lost, lost === 0);
  verdict.criterion(`${name}: on the platform but not sent`, hidden, hidden === 0);
  return { counts, status, copies };
}

/** Each recipient has exactly one status. */
function addUp({ pending, sent, delivered, read, failed, uncertain, skipped, canceled, expired }) {
  return pending + sent + delivered + read + failed + uncertain + skipped + canceled + expired;
}

/** Number of recipients that got the message. Each counts once, under its latest status. */
export function reached({ sent, delivered, read }) {
  return sent + delivered + read;
}
