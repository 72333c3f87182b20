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
  onMessage,
  type Request,
  record,
} from './answers.js';
import type { Extras } from './extras.js';
import { guildEmoji, guildShape, rolesOfGuild } from './guild.js';
import { apiChannel, type Channel } from './shapes.js';
import { startThread } from './threads.js';
import type { World } from './world.js';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-callback */
const ANSWER_WITHIN_MS = 3_000;
const MOST_REACTIONS = 20;
const emoji =
  /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F)(?:\p{Emoji_Modifier}|\u200D(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F))*$/u;

/** Reactions, forum posts, interactions, and what a server has. */
export function serverHandlers(world: World): Readonly<Record<string, Handler>> {
  return {
    'GET /users/@me/guilds': () => ok([guildShape({ members: world.members(), emojis: world.emojis })]),
    'GET /guilds/:id': ({ ids }) =>
      ids[0] === world.guildId
        ? ok(guildShape({ members: world.members(), emojis: world.emojis }))
        : failure(404, 10004, 'Unknown Guild'),
    'GET /guilds/:id/roles': () => ok(rolesOfGuild()),
    'GET /guilds/:id/channels': () => ok(world.guild().channels ?? []),
    'GET /guilds/:id/emojis': () => ok(world.emojis.map(guildEmoji)),
    'GET /guilds/:id/threads/active': () => ok({ threads: world.guild().threads ?? [], members: [] }),
    'POST /channels/:id/threads': inChannel((channel, request) => openPost(world, channel, request)),
    'PUT /channels/:id/messages/:id/reactions/:emoji/@me': onMessage((channel, stored, request) => {
      const name = readEmoji(world, request.emoji);
      if (name === undefined) return failure(400, 10014, 'Unknown Emoji');
      if (!stored.reactions.has(name) && stored.reactions.size >= MOST_REACTIONS)
        return failure(400, 30010, 'Maximum number of reactions reached (20)');
      world.react(channel, stored, world.self, name, true);
      return { ...nothing, committed: true };
    }),
    'DELETE /channels/:id/messages/:id/reactions/:emoji/@me': onMessage((channel, stored, request) => {
      const name = readEmoji(world, request.emoji);
      if (name === undefined) return failure(400, 10014, 'Unknown Emoji');
      world.react(channel, stored, world.self, name, false);
      return { ...nothing, committed: true };
    }),
    'POST /interactions/:id/:token/callback': (request) => answer(world, request),
  };
}

/** Discord takes Unicode emoji in their fully qualified form, and its own by name and id. */
function readEmoji(world: World, form: string): string | undefined {
  if (emoji.test(form)) return form;
  return world.emojis.some(({ name, id }) => form === `${name}:${id}`) ? form : undefined;
}

function openPost(world: World, channel: Channel, { body, files }: Request): SimulatedAnswer {
  if (channel.kind !== 'forum') return startThread(world, channel, body);
  const { name = '', message } = record<RESTPostAPIGuildForumThreadsJSONBody>(body);
  const content = message?.content ?? '';
  const { embeds, components, poll, flags } = record<RESTPostAPIChannelMessageJSONBody>(message);
  const extras: Extras = { embeds, components, poll, flags };
  const bad = invalid(content, files.length, extras) ?? invalidFiles(files);
  if (bad !== undefined) return bad;
  if (name.length < 1 || name.length > 100) return failure(400, 50035, 'Invalid Form Body');
  const thread = world.openThread(channel, name, world.self.id);
  const first = world.create(thread, world.self, {
    ...extras,
    content,
    files,
    id: thread.id,
    allowed: allowedIn(message?.allowed_mentions),
  });
  return changed({ ...apiChannel(thread), message: first });
}

function answer(world: World, { ids, token, body }: Request): SimulatedAnswer {
  const asked = world.interactions.get(ids[0] ?? '');
  const late = asked !== undefined && Date.now() - asked.at > ANSWER_WITHIN_MS;
  if (asked === undefined || asked.token !== token || late) return failure(404, 10062, 'Unknown interaction');
  if (asked.answer !== undefined) return failure(400, 40060, 'Interaction has already been acknowledged.');
  asked.answer = body as RESTPostAPIInteractionCallbackJSONBody;
  return { ...nothing, committed: true };
}
