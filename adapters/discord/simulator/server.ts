import type {
  RESTPostAPIChannelMessageJSONBody,
  RESTPostAPIGuildForumThreadsJSONBody,
  RESTPostAPIInteractionCallbackJSONBody,
} from 'discord-api-types/v10';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import {
  allowedIn,
  changed,
  failure,
  type Handler,
  inChannel,
  invalid,
  invalidFiles,
  nothing,
  ok,
  type Request,
  record,
} from './answers.js';
import type { Extras } from './extras.js';
import { guildEmoji, guildShape, rolesOfGuild } from './guild.js';
import { apiChannel, type Channel } from './shapes.js';
import type { DiscordState } from './state.js';
import { startThread } from './threads.js';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback */
const ANSWER_WITHIN_MS = 3_000;

/** The REST routes of forum posts, interactions and the server. */
export function serverHandlers(state: DiscordState): Readonly<Record<string, Handler>> {
  return {
    'GET /users/@me/guilds': () => ok([guildShape({ members: state.members(), emojis: state.emojis })]),
    'GET /guilds/:id': ({ ids }) =>
      ids[0] === state.guildId
        ? ok(guildShape({ members: state.members(), emojis: state.emojis }))
        : failure(404, 10004, 'Unknown Guild'),
    'GET /guilds/:id/roles': () => ok(rolesOfGuild()),
    'GET /guilds/:id/channels': () => ok(state.guild().channels ?? []),
    'GET /guilds/:id/emojis': () => ok(state.emojis.map(guildEmoji)),
    'GET /guilds/:id/threads/active': () => ok({ threads: state.guild().threads ?? [], members: [] }),
    'POST /channels/:id/threads': inChannel((channel, request) => openPost(state, channel, request)),
    'POST /interactions/:id/:token/callback': (request) => answer(state, request),
  };
}

function openPost(state: DiscordState, channel: Channel, { body, files }: Request): SimulatedAnswer {
  if (channel.kind !== 'forum') return startThread(state, channel, body);
  const { name = '', message } = record<RESTPostAPIGuildForumThreadsJSONBody>(body);
  const content = message?.content ?? '';
  const { embeds, components, poll, flags } = record<RESTPostAPIChannelMessageJSONBody>(message);
  const extras: Extras = { embeds, components, poll, flags };
  const bad = invalid(content, files.length, extras) ?? invalidFiles(files);
  if (bad !== undefined) return bad;
  if (name.length < 1 || name.length > 100) return failure(400, 50035, 'Invalid Form Body');
  const thread = state.openThread(channel, name, state.self.id);
  const first = state.create(thread, state.self, {
    ...extras,
    content,
    files,
    id: thread.id,
    allowed: allowedIn(message?.allowed_mentions),
  });
  return changed({ ...apiChannel(thread), message: first });
}

function answer(state: DiscordState, { ids, token, body }: Request): SimulatedAnswer {
  const asked = state.interactions.get(ids[0] ?? '');
  const late = asked !== undefined && Date.now() - asked.at > ANSWER_WITHIN_MS;
  if (asked === undefined || asked.token !== token || late) return failure(404, 10062, 'Unknown interaction');
  if (asked.answer !== undefined) return failure(400, 40060, 'Interaction has already been acknowledged.');
  asked.answer = body as RESTPostAPIInteractionCallbackJSONBody;
  return { ...nothing, committed: true };
}
