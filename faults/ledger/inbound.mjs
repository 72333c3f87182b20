import { grouped, inversions, placeIn, tokenOf } from './tokens.mjs';

/**
 * They bring again what was not taken whenever they like, and tell everything else meanwhile: late is behind, and misordered
 * only what was taken before that was told at all which now stands before it.
 */
const UNORDERED = new Set(['slack', 'sms']);

/** What people wrote, against what the store holds, in the order in which clients were told. */
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
  for (const [chat, told] of grouped(rows, ({ token }) => token.split('.')[1])) {
    const wrong = inversions(told.map(({ token }) => placeIn(token)));
    const isUnordered = UNORDERED.has(platforms.get(chat));
    const inexcusable = isUnordered ? overtaken(told, times) : wrong;
    figures.misordered += inexcusable;
    figures.late += wrong - Math.min(wrong, inexcusable);
    if (wrong > 0) details.push(`chat ${chat}: ${told.map(({ token }) => placeIn(token)).join(' ')}`);
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

/** When each post of those who keep no order was first told, and first taken. */
async function timesOf(posts) {
  const platforms = new Set(
    posts.map(({ chat }) => chat.platform).filter((one) => UNORDERED.has(one.platform)),
  );
  const times = new Map();
  for (const platform of platforms) {
    for (const { token, from, to } of await platform.ask('told')) times.set(token, { from, to });
  }
  return times;
}

/** How many stand before an earlier one that had been taken before they were told at all. */
function overtaken(told, times) {
  return told.filter(({ token }, at) => {
    const from = times.get(token)?.from;
    return told.slice(at + 1).some(({ token: behind }) => {
      const to = times.get(behind)?.to ?? null;
      return placeIn(behind) < placeIn(token) && to !== null && to < from;
    });
  }).length;
}
