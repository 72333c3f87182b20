import type { Caller } from '../access/caller.js';
import type { DraftRecord, SaveDraftBody, SavedDraftRecord } from './draft-schema.js';
import type { ConversationKey, DraftStore } from './ports.js';
import type { ReadConversations } from './use-cases.js';

/** Keeps what a member is writing, for the other browsers of that member. */
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

  /** Resolves with what is stored afterwards. It is the other draft when another browser wrote one in the meantime. Raises `not_found`. */
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
