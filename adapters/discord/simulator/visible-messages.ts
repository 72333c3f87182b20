import type { APIMessage } from 'discord-api-types/v10';
import type { SimulatedMessage } from '../../../src/contract/simulation/index.js';
import { type Channel, pingsOf } from './shapes.js';
import type { DiscordState } from './state.js';

/** The messages of a channel as people see them. */
export function visibleMessagesIn(state: DiscordState, channel: Channel): readonly SimulatedMessage[] {
  return [...channel.messages.values()].map(({ message, deleted, reactions }) => ({
    id: message.id,
    chatId: channel.id,
    sender: message.author.global_name ?? message.author.username,
    own: message.author.id === state.self.id || message.application_id === state.application.id,
    text: message.content,
    ...(message.message_reference?.message_id === undefined
      ? {}
      : { replyToId: message.message_reference.message_id }),
    edited: message.edited_timestamp !== null,
    deleted,
    ...filesOf(state, message),
    ...pingsOf(message),
    reactions: [...reactions.keys()],
    ...buttonsOf(message),
    sentAt: Date.parse(message.timestamp),
  }));
}

/** Visible content of a message besides its text. */
function filesOf(state: DiscordState, { attachments }: APIMessage): Pick<SimulatedMessage, 'files'> {
  const files = attachments.flatMap(({ id }) => state.files.get(id) ?? []);
  return files.length === 0 ? {} : { files };
}

type Row = { readonly components?: readonly { readonly label?: string }[] };

/** Labels of the buttons in the rows below a message. */
function buttonsOf({ components = [] }: APIMessage): Pick<SimulatedMessage, 'buttons'> {
  const rows = components as readonly unknown[] as readonly Row[];
  const labels = rows.flatMap((row) => (row.components ?? []).flatMap(({ label = [] }) => label));
  return labels.length === 0 ? {} : { buttons: labels };
}
