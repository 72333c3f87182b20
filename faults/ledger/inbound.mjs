import { grouped, inversions, placeIn, tokenOf } from './tokens.mjs';

/** They bring again what was not taken whenever they like, and tell everything else meanwhile: late is behind. */
const UNORDERED = new Set(['slack', 'sms']);

/** What people wrote, against what the store holds, in the order in which clients were told. */
export async function judgePosts(rig, posts) {
  const rows = await storedPosts(rig);
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
    figures[UNORDERED.has(platforms.get(chat)) ? 'late' : 'misordered'] += wrong;
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
