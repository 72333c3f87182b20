import { z } from 'zod';
import type { Caller } from '../access/caller.js';
import { notFound } from '../common/errors.js';
import type { StaffChatRecord, StaffChatStore } from './staff-chat-store.js';

const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The body of PUT workspace/staff-chat. */
export const staffChatBody = z.object({
  conversation_number: number.nullable().meta({ description: 'Null: alerts are sent nowhere.' }),
  approvals: z.boolean().default(false).meta({ description: 'Also shows messages that agents propose.' }),
});
export type StaffChatBody = z.output<typeof staffChatBody>;

/** The conversation that gets alerts. */
export const staffChatRecord = z
  .object({ conversation_number: number.nullable(), title: z.string().nullable(), approvals: z.boolean() })
  .meta({ id: 'StaffChat' });

/** Manages the conversation in which a workspace gets alerts. */
export class ManageStaffChat {
  constructor(private readonly store: StaffChatStore) {}

  get({ workspaceId }: Caller): Promise<StaffChatRecord> {
    return this.store.find(workspaceId);
  }

  /** Alerts are sent in the name of the caller. Raises `not_found`. */
  async set(caller: Caller, { conversation_number, approvals }: StaffChatBody): Promise<StaffChatRecord> {
    const found = await this.store.set(caller.workspaceId, caller.userId, conversation_number, approvals);
    if (!found) throw notFound('The conversation', 'conversation_number');
    return this.get(caller);
  }
}
