import type { JsonValue } from '../../../src/contract/index.js';
import { failure, type Handler, ok, type Request, record } from './answers.js';
import type { DiscordState } from './state.js';

const MAX_AT_ONCE = 1000;

/** The REST routes of members. */
export function memberHandlers(state: DiscordState): Readonly<Record<string, Handler>> {
  const list = ({ query }: Request) => {
    const after = BigInt(query.get('after') ?? '0');
    const members = state.members().filter(({ user }) => BigInt(user.id) > after);
    return ok(members.slice(0, Number(query.get('limit') ?? '1')));
  };
  return {
    'GET /users/:id': ({ ids }) => {
      const user = state.userById(ids[0] ?? '');
      return user === undefined ? failure(404, 10013, 'Unknown User') : ok(user);
    },
    'GET /guilds/:id/members': list,
    'GET /guilds/:id/members/search': ({ query }) =>
      ok(named(state, query.get('query') ?? '').slice(0, Number(query.get('limit') ?? '1'))),
    'GET /guilds/:id/members/:id': ({ ids }) => {
      const member = state.members().find(({ user }) => user.id === ids[1]);
      return member === undefined ? failure(404, 10007, 'Unknown Member') : ok(member);
    },
  };
}

/** The response to a member request on the gateway, by ids or by name prefix. */
export function membersChunk(state: DiscordState, asked: JsonValue): object {
  const { user_ids, query = '', limit = 0, nonce } = record<Asked>(asked);
  const ids = user_ids === undefined ? undefined : [user_ids].flat();
  const found =
    ids === undefined ? named(state, query) : state.members().filter(({ user }) => ids.includes(user.id));
  const members = found.slice(0, limit > 0 ? limit : MAX_AT_ONCE);
  const missing = (ids ?? []).filter((id) => !found.some(({ user }) => user.id === id));
  return {
    guild_id: state.guildId,
    members,
    chunk_index: 0,
    chunk_count: 1,
    not_found: missing,
    ...(nonce === undefined ? {} : { nonce }),
  };
}

interface Asked {
  readonly user_ids: string | readonly string[];
  readonly query: string;
  readonly limit: number;
  readonly nonce: string;
}

const named = (state: DiscordState, start: string) =>
  state
    .members()
    .filter(({ user }) =>
      [user.username, user.global_name ?? ''].some((name) =>
        name.toLowerCase().startsWith(start.toLowerCase()),
      ),
    );
