import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '../../../src/contract/index.js';
import { hooksPlugin } from '../../../src/http/hooks.js';
import { silentLog } from '../../support/log.js';

const ID = '019b76da-a800-7000-8000-000000000001';

/** A connection whose adapter takes events with this secret. */
const signedWith = (secret: string) => ({
  platform: 'alpha',
  url: `https://bridge.example/hooks/alpha/${ID}`,
  adapter: {
    handle: async (request: Request) =>
      new Response(null, { status: request.headers.get('x-secret') === secret ? 200 : 401 }),
  } as unknown as Adapter,
});

/** Posts an event to a process that knows one connection while the database has another, or none. */
async function post(secret: string, stored: (known: Target) => Target | undefined | Promise<never>) {
  const known = signedWith('old');
  const server = Fastify();
  const find = async (_id: string, refused = false) => (refused ? stored(known) : known);
  await server.register(hooksPlugin({ find, log: silentLog, paused: () => undefined }));
  const answer = await server.inject({
    method: 'POST',
    url: `/hooks/alpha/${ID}`,
    headers: { 'x-secret': secret },
  });
  await server.close();
  return answer.statusCode;
}
type Target = ReturnType<typeof signedWith>;

describe('a platform webhook that the known connection refuses', () => {
  it('is accepted if its secret was changed a moment ago', async () => {
    expect(await post('new', () => signedWith('new'))).toBe(200);
  });

  it('is 404 if the connection was deleted a moment ago', async () => {
    expect(await post('new', () => undefined)).toBe(404);
  });

  it('is 401 if the connection is unchanged, refuses it as well after the change, or cannot be read', async () => {
    expect(await post('wrong', (known) => known)).toBe(401);
    expect(await post('wrong', () => signedWith('new'))).toBe(401);
    expect(await post('wrong', () => Promise.reject(new Error('The database is unavailable.')))).toBe(401);
  });
});
