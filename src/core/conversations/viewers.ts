import type { Caller } from '../access/caller.js';
import type { ConversationKey, ViewerStore } from './ports.js';
import type { ReadConversations } from './use-cases.js';

/** Shows members who else has a conversation open. */
export class ConversationViewers {
  constructor(
    private readonly conversations: ReadConversations,
    private readonly store: ViewerStore,
  ) {}

  /**
   * Marks the caller as a viewer for 25 seconds, so a page must repeat the call. Resolves with the ids of the others.
   * Raises `not_found`.
   */
  async view(caller: Caller, key: ConversationKey): Promise<string[]> {
    const { id } = await this.conversations.get(caller, key);
    return this.store.view(caller.workspaceId, id, caller.userId);
  }

  /** Raises `not_found`. */
  async stop(caller: Caller, key: ConversationKey): Promise<void> {
    const { id } = await this.conversations.get(caller, key);
    await this.store.stop(caller.workspaceId, id, caller.userId);
  }
}
