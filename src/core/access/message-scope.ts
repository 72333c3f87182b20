import type { Caller } from './caller.js';

/** Which messages, conversations and calls a caller may see. */
export interface MessageScope {
  readonly workspaceId: string;
  /** Only conversations in which this user takes part. */
  readonly participantId?: string;
}

export function scopeOf(caller: Caller): MessageScope {
  return caller.onlyOwnConversations
    ? { workspaceId: caller.workspaceId, participantId: caller.userId }
    : { workspaceId: caller.workspaceId };
}
