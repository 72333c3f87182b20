import type { Expansions } from '../access/authorize.js';
import type { Caller } from '../access/caller.js';
import { scopeOf } from '../access/message-scope.js';
import type { MessageRecord } from '../messages/record.js';
import type { UserStore } from '../users/ports.js';
import { viewerOf } from '../users/use-cases.js';
import type { ConversationStore } from './ports.js';

/** Records that `expand` can add to messages. */
export const messageExpansions = {
  conversation: { scopes: ['conversations:read'], oauth: 'messages.read' },
  sender: { scopes: ['profile:read'], oauth: 'user.read' },
} as const satisfies Expansions;

/** Adds the records that messages refer to. */
export class ExpandMessages {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly users: UserStore,
  ) {}

  /** Each record is read once, even if several messages refer to it. A record that no longer exists is null. */
  async execute(
    caller: Caller,
    messages: readonly MessageRecord[],
    names: ReadonlySet<string>,
  ): Promise<readonly object[]> {
    if (names.size === 0) return messages;
    const conversation = names.has('conversation')
      ? await eachOnce(messages, 'conversation_id', (id) =>
          this.conversations.find(scopeOf(caller), id, caller.userId),
        )
      : undefined;
    const sender = names.has('sender')
      ? await eachOnce(messages, 'sender_id', (id) =>
          this.users.find(caller.workspaceId, id, viewerOf(caller)),
        )
      : undefined;
    return messages.map((message) => ({
      ...message,
      ...(conversation && { conversation: conversation.get(message.conversation_id) ?? null }),
      ...(sender && { sender: sender.get(message.sender_id) ?? null }),
    }));
  }
}

async function eachOnce<T>(
  messages: readonly MessageRecord[],
  field: 'conversation_id' | 'sender_id',
  find: (id: string) => Promise<T>,
): Promise<Map<string, T>> {
  const ids = [...new Set(messages.map((message) => message[field]))];
  return new Map(await Promise.all(ids.map(async (id): Promise<[string, T]> => [id, await find(id)])));
}
