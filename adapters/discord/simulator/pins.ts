import {
  changed,
  failure,
  type Handler,
  inChannel,
  invalidForm,
  nothing,
  ok,
  record,
  unmarked,
} from './answers.js';
import type { Channel } from './shapes.js';
import type { DiscordState } from './state.js';

const MAX_PINS = 250;
const MIN_AT_ONCE = 2;
const MAX_AT_ONCE = 100;

/** The REST routes of pins and bulk deletions. */
export function moderationHandlers(state: DiscordState): Readonly<Record<string, Handler>> {
  const pin = (pinned: boolean) =>
    inChannel((channel, { ids }) => {
      const stored = channel.messages.get(ids[1] ?? '');
      if (stored === undefined || stored.deleted) return failure(404, 10008, 'Unknown Message');
      if (pinned && pinsOf(channel).length >= MAX_PINS)
        return failure(400, 30003, 'Maximum number of pins reached for the channel');
      state.pin(channel, stored, pinned);
      return { ...nothing, committed: true };
    });
  const shown = ({ message }: ReturnType<typeof pinsOf>[number]) => unmarked(state.relinked(message));
  return {
    'GET /channels/:id/pins': inChannel((channel) => ok(pinsOf(channel).map(shown))),
    'GET /channels/:id/messages/pins': inChannel((channel) => {
      const items = pinsOf(channel).map((each) => ({
        pinned_at: each.message.timestamp,
        message: shown(each),
      }));
      return ok({ items, has_more: false });
    }),
    'PUT /channels/:id/pins/:id': pin(true),
    'DELETE /channels/:id/pins/:id': pin(false),
    'PUT /channels/:id/messages/pins/:id': pin(true),
    'DELETE /channels/:id/messages/pins/:id': pin(false),
    'POST /channels/:id/messages/bulk-delete': inChannel((channel, { body }) => {
      const { messages } = record<{ readonly messages: readonly string[] }>(body);
      if (!Array.isArray(messages) || messages.length < MIN_AT_ONCE || messages.length > MAX_AT_ONCE)
        return invalidForm('messages', 'BASE_TYPE_BAD_LENGTH', 'Must be between 2 and 100 in length.');
      if (channel.kind === 'direct') return failure(403, 50003, 'Cannot execute action on a DM channel');
      state.removeMany(channel, messages.map(String));
      return { ...nothing, committed: true };
    }),
    'PATCH /channels/:id': inChannel((channel, { body }) => {
      const { name, archived, locked } = record<Settings>(body);
      return changed(state.configure(channel, { name, archived, locked }));
    }),
  };
}

interface Settings {
  readonly name: string;
  readonly archived: boolean;
  readonly locked: boolean;
}

const pinsOf = (channel: Channel) =>
  [...channel.messages.values()].filter(({ message, deleted }) => message.pinned && !deleted).reverse();
