import { createHash, randomInt } from 'node:crypto';
import type { Caller } from '../access/caller.js';
import { notFound } from '../common/errors.js';
import type { ChatIdentityStore } from './chat-ports.js';
import type { ChatCodeRecord, ChatIdentityRecord } from './chat-record.js';

/**
 * Contains no characters that look alike. A code has twelve characters (59 bits) and expires after ten minutes, so it can't be
 * guessed.
 */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The accounts of a member in the staff chat. They may decide on proposals in the name of the member. */
export class ChatIdentities {
  constructor(private readonly store: ChatIdentityStore) {}

  list({ workspaceId, userId }: Caller): Promise<readonly ChatIdentityRecord[]> {
    return this.store.list(workspaceId, userId);
  }

  /**
   * Creates a code. The account that writes it in the chat is linked. Only its hash is stored. Raises `conflict`
   * (`limit_reached`).
   */
  async makeCode({ workspaceId, userId }: Caller): Promise<ChatCodeRecord> {
    const code = [newGroup(), newGroup(), newGroup()].join('-');
    const hash = createHash('sha256').update(code).digest('hex');
    const { expires_at } = await this.store.makeCode(workspaceId, userId, hash);
    return { text: `/link ${code}`, expires_at };
  }

  /** Raises `not_found`. */
  async remove({ userId }: Caller, id: string): Promise<void> {
    if (!(await this.store.remove(userId, id))) throw notFound('The account');
  }
}

function newGroup(): string {
  return Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
