import type { APIMessage } from 'discord-api-types/v10';
import type { SimulatedMessage } from '../../../src/contract/simulation/index.js';
import { type Channel, pingsOf } from './shapes.js';
import type { World } from './world.js';

/** A channel as people see it. */
export function seenIn(world: World, channel: Channel): readonly SimulatedMessage[] {
  return [...channel.messages.values()].map(({ message, deleted, reactions }) => ({
    id: message.id,
    chatId: channel.id,
    sender: message.author.global_name ?? message.author.username,
    own: message.author.id === world.self.id || message.application_id === world.application.id,
    text: message.content,
    ...(message.message_reference?.message_id === undefined
      ? {}
      : { replyToId: message.message_reference.message_id }),
    edited: message.edited_timestamp !== null,
    deleted,
    ...filesOf(world, message),
    ...pingsOf(message),
    reactions: [...reactions.keys()],
  }));
}

/** What a message shows beside its text. */
function filesOf(world: World, { attachments }: APIMessage): Pick<SimulatedMessage, 'files'> {
  const files = attachments.flatMap(({ id }) => world.files.get(id) ?? []);
  return files.length === 0 ? {} : { files };
}
