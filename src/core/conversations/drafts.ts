import type { Caller } from '../access/caller.js';
import type { DraftRecord, SaveDraftBody, SavedDraftRecord } from './draft-schema.js';
import type { ConversationKey, DraftStore } from './ports.js';
import type { ReadConversations } from './use-cases.js';

/** Stores the unsent text of a member, for other browsers of the same member. */
export class ConversationDrafts {
  constructor(
    private readonly conversations: ReadConversations,
    private readonly store: DraftStore,
  ) {}

  /** Raises `not_found`. */
  async read(caller: Caller, key: ConversationKey): Promise<DraftRecord> {
    const { id } = await this.conversations.get(caller, key);
    return this.store.read(caller.workspaceId, id, caller.userId);
  }

  /**
   * Resolves with the draft that is stored afterwards. If another browser wrote one since, it is that draft. Raises
   * `not_found`.
   */
  async save(caller: Caller, key: ConversationKey, body: SaveDraftBody): Promise<SavedDraftRecord> {
    const { id } = await this.conversations.get(caller, key);
    return this.store.save({
      workspace_id: caller.workspaceId,
      conversation_id: id,
      user_id: caller.userId,
      ...body,
    });
  }
}
