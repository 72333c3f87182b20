import type { Expansions } from '../access/authorize.js';
import type { Caller } from '../access/caller.js';
import { scopeOf } from '../access/message-scope.js';
import type { ConversationStore } from '../conversations/ports.js';
import type { CallRecord } from './record.js';

/** Records that `expand` can add to calls. */
export const callExpansions = {
  conversation: { scopes: ['conversations:read'], oauth: 'messages.read' },
} as const satisfies Expansions;

/** Adds their conversations to calls. */
export class ExpandCalls {
  constructor(private readonly conversations: ConversationStore) {}

  /** Each conversation is read once. A conversation that no longer exists is null. */
  async execute(
    caller: Caller,
    calls: readonly CallRecord[],
    names: ReadonlySet<string>,
  ): Promise<readonly object[]> {
    if (!names.has('conversation')) return calls;
    const ids = [...new Set(calls.map((call) => call.conversation_id))];
    const found = new Map(
      await Promise.all(
        ids.map(
          async (id) => [id, await this.conversations.find(scopeOf(caller), id, caller.userId)] as const,
        ),
      ),
    );
    return calls.map((call) => ({ ...call, conversation: found.get(call.conversation_id) ?? null }));
  }
}
