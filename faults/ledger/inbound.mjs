import { grouped, inversions, placeIn, tokenOf } from './tokens.mjs';

/**
 * These platforms redeliver events that were not accepted while they deliver newer ones. A message out of order is late. It is
 * misordered only if the earlier message was accepted before the later one was first sent.
 */
const UNORDERED = new Set(['slack', 'sms']);

/** Compares what people wrote with the store, in the order of the events for clients. */
export async function judgePosts(rig, posts) {
  const rows = await storedPosts(rig);
  const times = await timesOf(posts);
  const byToken = grouped(rows, ({ token }) => token);
  const known = new Set(posts.map(({ token }) => token));
  const figures = { posts: posts.length, lost: 0, duplicated: 0, misordered: 0, late: 0, unexpected: 0 };
  const platforms = new Map(posts.map(({ chat }) => [String(chat.number), chat.platform.platform]));
  const details = [];
  for (const { token } of posts) {
    const copies = byToken.get(token)?.length ?? 0;
    if (copies === 0) figures.lost += 1;
    if (copies > 1) figures.duplicated += copies - 1;
    if (copies !== 1 && details.length < 20) details.push(`${token} stored ${copies} times`);
  }
  for (const token of byToken.keys()) if (!known.has(token)) figures.unexpected += 1;
  for (const [chat, stored] of grouped(rows, ({ token }) => token.split('.')[1])) {
    const wrong = inversions(stored.map(({ token }) => placeIn(token)));
    const isUnordered = UNORDERED.has(platforms.get(chat));
    const misordered = isUnordered ? overtaken(stored, times) : wrong;
    figures.misordered += misordered;
    figures.late += wrong - Math.min(wrong, misordered);
    if (wrong > 0) details.push(`chat ${chat}: ${stored.map(({ token }) => placeIn(token)).join(' ')}`);
  }
  return { figures, details };
}

async function storedPosts(rig) {
  const rows = await rig.query(`
    SELECT m.text FROM events e JOIN messages m ON m.id = (e.data->>'id')::uuid
    WHERE e.type = 'message.created' AND m.direction = 'inbound' ORDER BY e.position`);
  return rows.flatMap(({ text }) => {
    const token = tokenOf(text);
    return token?.startsWith('in.') ? [{ token }] : [];
  });
}

/** When each post of an unordered platform was first sent and first accepted. */
async function timesOf(posts) {
  const platforms = new Set(
    posts.map(({ chat }) => chat.platform).filter((one) => UNORDERED.has(one.platform)),
  );
  const times = new Map();
  for (const platform of platforms) {
    for (const { token, from, to } of await platform.ask('postTimes')) times.set(token, { from, to });
  }
  return times;
}

/** Number of posts stored before an earlier one that was accepted before they were first sent. */
function overtaken(stored, times) {
  return stored.filter(({ token }, at) => {
    const from = times.get(token)?.from;
    return stored.slice(at + 1).some(({ token: next }) => {
      const to = times.get(next)?.to ?? null;
      return placeIn(next) < placeIn(token) && to !== null && to < from;
    });
  }).length;
}
