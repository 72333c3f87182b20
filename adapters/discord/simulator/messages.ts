import type {
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessageJSONBody,
} from 'discord-api-types/v10';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import {
  allowedIn,
  changed,
  failure,
  given,
  type Handler,
  inChannel,
  invalid,
  invalidFiles,
  invalidForm,
  invalidNonce,
  nothing,
  ok,
  onMessage,
  type Request,
  record,
  type StoredMessage,
  unmarked,
} from './answers.js';
import type { Extras } from './extras.js';
import { reactionsOf } from './reactions.js';
import { apiChannel, type Channel } from './shapes.js';
import type { DiscordState } from './state.js';

/** The REST routes of messages. */
export function messageHandlers(state: DiscordState): Readonly<Record<string, Handler>> {
  return {
    'GET /channels/:id': inChannel((channel) => ok(apiChannel(channel))),
    'POST /channels/:id/typing': inChannel(() => nothing),
    'GET /channels/:id/messages': inChannel((channel, request) => list(state, channel, request.query)),
    'POST /channels/:id/messages': inChannel((channel, request) => create(state, channel, request)),
    'GET /channels/:id/messages/:id': onMessage((_channel, stored) => ok(read(state, stored))),
    'PATCH /channels/:id/messages/:id': onMessage((channel, stored, request) => {
      const refusal =
        stored.message.author.id === state.self.id
          ? undefined
          : failure(403, 50005, 'Cannot edit a message authored by another user');
      return refusal ?? editWith(state, channel, stored, request);
    }),
    'DELETE /channels/:id/messages/:id': onMessage((channel, stored) => {
      if (stored.message.author.id !== state.self.id && !state.mayManageMessages)
        return failure(403, 50013, 'Missing Permissions');
      state.remove(channel, stored);
      return { ...nothing, committed: true };
    }),
  };
}

/**
 * Applies a patch. Absent fields keep their value (https://docs.discord.com/developers/resources/message#edit-message).
 */
export function editWith(
  state: DiscordState,
  channel: Channel,
  stored: StoredMessage,
  { body, files }: Request,
): SimulatedAnswer {
  const {
    content,
    embeds,
    components,
    flags,
    attachments: named,
  } = record<RESTPatchAPIChannelMessageJSONBody>(body);
  const { message } = stored;
  const text = content === undefined ? message.content : (content ?? '');
  const extras = { embeds: embeds === null ? [] : embeds, components: components === null ? [] : components };
  const shown = {
    embeds: extras.embeds ?? message.embeds,
    components: extras.components ?? message.components,
    poll: message.poll,
  } as Extras;
  // New files are added. If the patch lists attachments, only the listed ones are kept.
  const kept = message.attachments.filter(({ id }) => named?.some((one) => String(one.id) === id) ?? true);
  const bad = invalid(text, kept.length + files.length, shown) ?? invalidFiles(files);
  if (bad !== undefined) return bad;
  const attachments = [...kept, ...files.map((file) => state.attach(file))];
  const more = { ...extras, flags: flags ?? undefined } as Extras;
  return changed(state.edit(channel, stored, text, more, { attachments }));
}

function create(state: DiscordState, channel: Channel, { body, files }: Request): SimulatedAnswer {
  const draft = given<RESTPostAPIChannelMessageJSONBody>(body);
  const { content = '', nonce, enforce_nonce, message_reference: reference } = draft;
  if (channel.kind === 'forum') return failure(400, 50008, 'Cannot send messages in a non-text channel');
  const { embeds, components, poll, flags } = draft;
  const extras: Extras = { embeds, components, poll, flags };
  const bad = invalid(content, files.length, extras) ?? invalidFiles(files) ?? invalidNonce(nonce);
  if (bad !== undefined) return bad;
  if (channel.locked) return failure(403, 160005, 'Thread is locked');
  if (state.closed.has(channel.recipient?.id ?? ''))
    return failure(403, 50007, 'Cannot send messages to this user');
  const replyToId = reference === undefined ? undefined : String(reference.message_id);
  const missing = replyToId !== undefined && channel.messages.get(replyToId)?.deleted !== false;
  if (missing && reference?.fail_if_not_exists !== false)
    return invalidForm('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
  const message = state.create(channel, state.self, {
    ...extras,
    content,
    files,
    replyToId: missing ? undefined : replyToId,
    nonce: enforce_nonce === true && nonce !== undefined ? String(nonce) : undefined,
    allowed: allowedIn(draft.allowed_mentions),
  });
  return changed(nonce === undefined ? message : { ...message, nonce });
}

/** The oldest messages after the given one, sorted newest first. */
function list(state: DiscordState, channel: Channel, query: URLSearchParams): SimulatedAnswer {
  if (channel.kind === 'forum') return failure(400, 50008, 'Cannot send messages in a non-text channel');
  const before = query.get('before');
  const around = query.get('around');
  const after = BigInt(query.get('after') ?? '0');
  const limit = Math.min(Number(query.get('limit') ?? '50'), 100);
  const all = [...channel.messages.values()].filter((stored) => !stored.deleted);
  const later = all.filter(({ message }) => BigInt(message.id) > after);
  if (before !== null || around !== null) {
    const end = BigInt(before ?? around ?? '0') + (around === null ? 0n : BigInt(1));
    const [half, next] = around === null ? [limit, 0] : [Math.ceil(limit / 2), Math.floor(limit / 2)];
    const earlier = all.filter(({ message }) => BigInt(message.id) < end).slice(-half);
    const following = all.filter(({ message }) => BigInt(message.id) >= end).slice(0, next);
    return ok([...earlier, ...following].reverse().map((stored) => read(state, stored)));
  }
  const page = query.has('after') ? later.slice(0, limit) : later.slice(-limit);
  return ok(page.reverse().map((stored) => read(state, stored)));
}

/** A message as it is read: with its reactions and without its nonce. */
const read = (state: DiscordState, stored: StoredMessage) => ({
  ...unmarked(state.relinked(stored.message)),
  ...reactionsOf(state, stored),
});
