import type { RESTPostAPIChannelThreadsJSONBody } from 'discord-api-types/v10';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import { changed, failure, type Handler, inChannel, nothing, ok, onMessage, record } from './answers.js';
import { apiChannel, type Channel } from './shapes.js';
import type { DiscordState } from './state.js';

const MAX_NAME_LENGTH = 100;

/** The REST routes of threads. Forum posts are opened elsewhere. */
export function threadHandlers(state: DiscordState): Readonly<Record<string, Handler>> {
  return {
    'POST /channels/:id/messages/:id/threads': onMessage((channel, { message }, { body }) =>
      state.channels.has(message.id)
        ? failure(400, 160004, 'A thread has already been created for this message')
        : startThread(state, channel, body, message.id),
    ),
    'PUT /channels/:id/thread-members/@me': inChannel(() => nothing),
    'DELETE /channels/:id/thread-members/@me': inChannel(() => nothing),
    'GET /channels/:id/thread-members': inChannel(() => ok([])),
    'GET /channels/:id/threads/archived/public': inChannel(({ id }) => {
      const closed = [...state.channels.values()].filter((each) => each.parentId === id && each.archived);
      return ok({ threads: closed.map(apiChannel), members: [], has_more: false });
    }),
  };
}

export function startThread(
  state: DiscordState,
  channel: Channel,
  body: unknown,
  id?: string,
): SimulatedAnswer {
  const { name = '' } = record<RESTPostAPIChannelThreadsJSONBody>(body);
  if (channel.kind !== 'guild') return failure(400, 50024, 'Cannot execute action on this channel type');
  if (name.length < 1 || name.length > MAX_NAME_LENGTH) return failure(400, 50035, 'Invalid Form Body');
  return { ...changed(apiChannel(state.openThread(channel, name, state.self.id, id))), status: 201 };
}
