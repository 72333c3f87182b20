import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import type { CallInvitation, CallSeat, CallStore, NewCall, Signal } from '../../core/calls/ports.js';
import { type CallRecord, callList } from '../../core/calls/record.js';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  advanceCall,
  callRecordSql,
  createCall,
  endCall,
  isLiveCallSql,
  seesConversationSql,
  signalCall,
  sweepCalls,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const WHAT = 'The call';

/** Condition that `$1`, the participant of a scope, takes part in the conversation of a call. Null sees every call. */
const VISIBLE = `($1::uuid IS NULL OR EXISTS (SELECT 1 FROM participants p
  WHERE p.conversation_id = calls.conversation_id AND p.user_id = $1 AND p.left_at IS NULL))`;

const callSource: ListSource = {
  table: 'calls',
  record: callRecordSql('calls'),
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    started_at: 'started_at',
    duration: 'duration',
    status: 'status',
    type: 'type',
    direction: 'direction',
    platform: 'platform',
    conversation_id: 'conversation_id',
    initiator_id: 'initiator_id',
    end_reason: 'end_reason',
    participant_id: {
      sql: 'id',
      contains: `EXISTS (SELECT 1 FROM call_participants p WHERE p.call_id = calls.id AND p.user_id = $1::uuid)`,
    },
    metadata: 'metadata',
  },
};

const SEAT = `
  SELECT c.workspace_id, w.live_workspace_id IS NOT NULL AS test
  FROM calls c JOIN call_participants p ON p.call_id = c.id JOIN users u ON u.id = p.user_id
    JOIN workspaces w ON w.id = c.workspace_id
  WHERE c.id = $1 AND p.user_id = $2 AND ${isLiveCallSql('c')} AND u.status = 'active' AND p.removed_at IS NULL
    AND ${seesConversationSql('u.id', 'c.conversation_id')}`;

// A personal link or a session identifies one participant. Every participant can join by the link of the call.
const INVITATION = `
  SELECT c.id, c.type, c.initiator_id,
    json_agg(json_build_object('userId', u.id, 'name', u.display_name) ORDER BY u.id <> c.initiator_id, u.display_name, u.id) AS people
  FROM calls c JOIN call_participants p ON p.call_id = c.id JOIN users u ON u.id = p.user_id
  WHERE ${isLiveCallSql('c')} AND u.status = 'active' AND p.removed_at IS NULL AND ${seesConversationSql('u.id', 'c.conversation_id')}
    AND (c.join_token = $1 OR p.join_token = $1 OR (c.id = $2 AND p.user_id = $3))
  GROUP BY c.id`;

interface InvitationRow {
  readonly id: string;
  readonly type: string;
  readonly initiator_id: string;
  readonly people: CallInvitation['people'];
}

/** Calls in PostgreSQL. Every change is a database function. */
export class PostgresCalls implements CallStore {
  constructor(private readonly pool: Pool) {}

  async create(call: NewCall): Promise<CallRecord> {
    return (await createCall(this.pool, call, 'The conversation')).record;
  }

  async find(scope: MessageScope, id: string): Promise<CallRecord | undefined> {
    const { rows } = await readIn<{ record: CallRecord }>(this.pool, scope.workspaceId, {
      text: `SELECT ${callRecordSql('calls')} AS record FROM calls WHERE ${VISIBLE} AND workspace_id = $2 AND id = $3`,
      values: [scope.participantId ?? null, scope.workspaceId, id],
    });
    return rows[0]?.record;
  }

  list(scope: MessageScope, query: ListQuery): Promise<ListPage<CallRecord>> {
    const conditions =
      scope.participantId === undefined ? [] : [{ sql: VISIBLE, values: [scope.participantId] }];
    return listRecords(this.pool, callSource, callList, scope.workspaceId, query, conditions);
  }

  async end(
    scope: MessageScope,
    id: string,
    actorId: string,
    reason: string | undefined,
    claim?: ClaimKey,
  ): Promise<CallRecord> {
    const input = { ...callInput(scope, id), actor_id: actorId, reason, claim };
    return (await endCall(this.pool, input, WHAT)).record;
  }

  async signal(
    scope: MessageScope,
    id: string,
    userId: string,
    { type, to, frame }: Signal,
  ): Promise<boolean> {
    const input = { ...callInput(scope, id), user_id: userId, type, to };
    return (await signalCall(this.pool, { input, frame: frame ?? null }, WHAT)).record.delivered;
  }

  advance(id: string): Promise<void> {
    return advanceCall(this.pool, id);
  }

  sweep(): Promise<readonly string[]> {
    return sweepCalls(this.pool);
  }

  async findSeat(callId: string, userId: string): Promise<CallSeat | undefined> {
    const { rows } = await this.pool.query<{ workspace_id: string; test: boolean }>(SEAT, [callId, userId]);
    const [row] = rows;
    return row && { workspaceId: row.workspace_id, environment: row.test ? 'test' : 'live', callId, userId };
  }

  async findInvitation(
    by: { readonly link: string } | { readonly callId: string; readonly userId: string },
  ): Promise<CallInvitation | undefined> {
    const values = 'link' in by ? [by.link, null, null] : [null, by.callId, by.userId];
    const { rows } = await this.pool.query<InvitationRow>(INVITATION, values);
    const [row] = rows;
    return row && { callId: row.id, type: row.type, initiatorId: row.initiator_id, people: row.people };
  }
}

function callInput(scope: MessageScope, id: string) {
  return {
    workspace_id: scope.workspaceId,
    call_id: id,
    ...(scope.participantId === undefined ? {} : { participant_id: scope.participantId }),
  };
}
