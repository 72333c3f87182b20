import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';

const AGE_SECONDS = 31_536_000;

/** Generated avatars: a pattern that depends only on the user's id. No other data about the user is read or shown. */
export const avatarsPlugin: FastifyPluginAsync = async (server) => {
  server.get<{ Params: { file: string } }>('/avatars/:file', async (request, reply) => {
    const id = /^([0-9a-f-]{36})\.svg$/.exec(request.params.file)?.[1];
    if (id === undefined) return reply.callNotFound();
    return reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', `public, max-age=${AGE_SECONDS}, immutable`)
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .header('x-content-type-options', 'nosniff')
      .send(avatar(id));
  });
};

/** Five columns mirrored at the third, in one of 360 hues. */
function avatar(id: string): string {
  const hash = createHash('sha256').update(id).digest();
  const hue = hash.readUInt16BE(0) % 360;
  const cells: string[] = [];
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      if (((hash[2 + row * 3 + column] ?? 0) & 1) === 0) continue;
      for (const x of new Set([column, 4 - column])) {
        cells.push(`<rect x="${x + 1}" y="${row + 1}" width="1" height="1"/>`);
      }
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7"><rect width="7" height="7" fill="hsl(${hue} 35% 92%)"/><g fill="hsl(${hue} 55% 45%)">${cells.join('')}</g></svg>`;
}
