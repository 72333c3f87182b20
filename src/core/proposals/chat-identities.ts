import { createHash, randomInt } from 'node:crypto';
import type { Caller } from '../access/caller.js';
import { notFound } from '../common/errors.js';
import type { ChatIdentityStore } from './chat-ports.js';
import type { ChatCodeRecord, ChatIdentityRecord } from './chat-record.js';

/** Without characters that look alike. Twelve of them are 59 bits, for ten minutes: guesses find none. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Who a member is in the staff chat: the accounts that decide on proposals for the member. */
export class ChatIdentities {
  constructor(private readonly store: ChatIdentityStore) {}

  list({ workspaceId, userId }: Caller): Promise<readonly ChatIdentityRecord[]> {
    return this.store.list(workspaceId, userId);
  }

  /** A code that links the account which writes it. Only its hash is stored. Raises `conflict` (`limit_reached`). */
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
