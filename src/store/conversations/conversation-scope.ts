import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import { notFound } from '../../core/common/errors.js';
import type { ConversationKey } from '../../core/conversations/ports.js';
import { readIn } from '../connection/workspace-reads.js';
import type { ConversationInput } from './conversation-input.js';

export function conversationInput(scope: MessageScope, key: ConversationKey): ConversationInput {
  return {
    workspace_id: scope.workspaceId,
    ...(typeof key === 'number' ? { conversation_number: key } : { conversation_id: key }),
    ...(scope.participantId === undefined ? {} : { participant_id: scope.participantId }),
  };
}

/** Condition that `$1`, the participant of a scope, sees a row of conversations. Null sees every row. */
export const VISIBLE = `($1::uuid IS NULL OR EXISTS (SELECT 1 FROM participants p
  WHERE p.conversation_id = conversations.id AND p.user_id = $1 AND p.left_at IS NULL))`;

/** The id of a visible conversation. Raises `not_found`. */
export async function resolveConversation(
  pool: Pool,
  scope: MessageScope,
  key: ConversationKey,
): Promise<string> {
  const { rows } = await readIn<{ id: string }>(pool, scope.workspaceId, {
    text: `SELECT id FROM conversations WHERE ${VISIBLE} AND workspace_id = $2 AND deleted_at IS NULL
       AND ${typeof key === 'number' ? 'number = $3::bigint' : 'id = $3::uuid'}`,
    values: [scope.participantId ?? null, scope.workspaceId, key],
  });
  if (rows[0] === undefined) throw notFound('The conversation');
  return rows[0].id;
}
