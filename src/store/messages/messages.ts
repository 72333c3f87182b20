import type { Pool } from 'pg';
import type { MessageScope } from '../../core/access/message-scope.js';
import { currentReader } from '../../core/access/reading.js';
import { Batcher } from '../../core/common/batcher.js';
import { notFound } from '../../core/common/errors.js';
import type { FilterClause, ListPage, ListQuery } from '../../core/listing/list-spec.js';
import { deliveryStatuses } from '../../core/messages/delivery-states.js';
import type { MessageAddress, MessageChange, MessageStore, NewMessage } from '../../core/messages/ports.js';
import {
  type DeliveryRecord,
  deliveryList,
  type MessageRecord,
  type MessageVersionRecord,
  messageDirections,
  messageList,
} from '../../core/messages/record.js';
import { messageStatuses } from '../../core/messages/states.js';
import type { MessageTraceRecord } from '../../core/messages/trace.js';
import {
  acceptMessages,
  deleteMessage,
  deliveryRecordSql,
  editMessage,
  messageRecordSql,
  releaseMessage,
  sendToAddress,
} from '../calls.gen.js';
import { isRefusal, refusalError, translateRefusal } from '../connection/refusals.js';
import { readIn } from '../connection/workspace-reads.js';
import {
  asksOnly,
  type Fragment,
  impliedByPlatform,
  impliedByUpdate,
  impliedLowFrequencyStatus,
  type Parameters,
} from '../listing/filter.js';
import { type ListSource, listRecords } from '../listing/list-records.js';
import { COUNTED_UNTIL, type Statement } from '../listing/source.js';
import { readTrace, readVersions } from './message-history.js';
import type { AcceptAnswer } from './message-rows.js';

const WHAT = 'The message';

/** Messages of one conversation: the counted ones, minus those of them that are deleted, plus the later ones. */
const OF_CONVERSATION = `
  SELECT (coalesce((SELECT amount FROM message_totals WHERE conversation_id = $2::uuid AND workspace_id = $1::uuid), 0)
    - (SELECT count(*) FROM messages WHERE conversation_id = $2::uuid AND workspace_id = $1::uuid
      AND created_at < ${COUNTED_UNTIL} AND deleted_at IS NOT NULL)
    + (SELECT count(*) FROM messages WHERE conversation_id = $2::uuid AND workspace_id = $1::uuid
      AND created_at >= ${COUNTED_UNTIL} AND deleted_at IS NULL))::int AS total`;

/** The condition of an index that has scheduled messages in the order of the page. */
function impliedBySendAt({ negated, values }: FilterClause): string | undefined {
  return negated && values.length === 1 && values[0]?.operator === 'null' ? 'send_at IS NOT NULL' : undefined;
}

function totalOfMessages(workspaceId: string, filter: readonly FilterClause[]): Statement | undefined {
  const [clause] = filter;
  const [value] = clause?.values ?? [];
  const one = filter.length === 1 && clause?.values.length === 1 && !clause.negated;
  if (!one || clause.field !== 'conversation_id' || value?.operator !== 'eq') return undefined;
  return { text: OF_CONVERSATION, values: [workspaceId, value.value] };
}

/** All deliveries of a workspace, except those of deleted messages. */
const ALL_DELIVERIES = `
  SELECT (coalesce((SELECT deliveries FROM list_progress WHERE workspace_id = $1::uuid), 0)
    - (SELECT count(*) FROM messages m JOIN deliveries d ON d.message_id = m.id
      WHERE m.workspace_id = $1::uuid AND m.deleted_at IS NOT NULL)
    + (SELECT count(*) FROM deliveries WHERE workspace_id = $1::uuid AND created_at >= ${COUNTED_UNTIL}))::int AS total`;

/** Statuses that few messages and deliveries have. They are the values of the columns `rare_status`. */
const LOW_FREQUENCY_STATUSES = ['failed', 'expired', 'blocked', 'uncertain', 'canceled'];

const lowFrequencyStatuses = {
  field: 'status',
  values: LOW_FREQUENCY_STATUSES,
  column: 'rare_status',
  common: ['received', 'read', 'sent', 'delivered'],
  domain: messageStatuses,
};

const messageSource: ListSource = {
  table: 'messages',
  record: messageRecordSql('messages'),
  where: 'deleted_at IS NULL',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: { sql: 'updated_at', implies: impliedByUpdate },
    status: {
      sql: 'status',
      implies: (clause, parameters) => impliedLowFrequencyStatus(clause, LOW_FREQUENCY_STATUSES, parameters),
    },
    platform: 'platform',
    direction: 'direction',
    sender_id: 'sender_id',
    conversation_id: 'conversation_id',
    category: 'category',
    content_type: 'content_type',
    thread_id: 'thread_id',
    reply_to_id: 'reply_to_id',
    broadcast_id: 'broadcast_id',
    text: 'text',
    send_at: { sql: 'send_at', implies: impliedBySendAt },
    metadata: 'metadata',
  },
  revised: 'revised_at',
  counts: {
    resource: 'messages',
    measures: ['inbound', 'outbound', 'internal'],
    columns: { status: 'status', platform: 'platform', direction: 'measure' },
    domains: { status: messageStatuses, direction: messageDirections },
    indexed: (clause) =>
      clause.field === 'status' && asksOnly(clause, LOW_FREQUENCY_STATUSES) && clause.values.length === 1,
    gone: 'deleted_at IS NOT NULL',
  },
  lowFrequency: lowFrequencyStatuses,
  searched: { list: 'messages', fields: ['text'] },
  total: totalOfMessages,
};

/** Statuses of deliveries that keep their place in a lane, and the condition of their indexes. */
const IN_LANE = ['queued', 'sending'];
const isInLane = '(lane IS NOT NULL OR held)';

function impliedByStatus(clause: FilterClause, parameters: Parameters): string | undefined {
  if (asksOnly(clause, IN_LANE)) return isInLane;
  return impliedLowFrequencyStatus(clause, LOW_FREQUENCY_STATUSES, parameters);
}

function impliedByConversation(
  { negated, values }: FilterClause,
  parameters: Parameters,
): string | undefined {
  if (negated) return undefined;
  const wanted = parameters.value(values.map(({ value }) => value));
  return `message_id IN (SELECT c.id FROM messages c WHERE c.conversation_id = ANY (${wanted}::uuid[]) AND c.deleted_at IS NULL)`;
}

const deliverySource: ListSource = {
  table: 'deliveries',
  record: deliveryRecordSql('deliveries'),
  where: 'EXISTS (SELECT 1 FROM messages m WHERE m.id = deliveries.message_id AND m.deleted_at IS NULL)',
  whereOfRow: '(SELECT m.deleted_at IS NULL FROM messages m WHERE m.id = deliveries.message_id)',
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: { sql: 'updated_at', implies: impliedByUpdate },
    next_attempt_at: { sql: 'next_attempt_at', type: 'timestamp', nullable: true },
    status: { sql: 'status', implies: impliedByStatus },
    platform: { sql: 'platform', implies: impliedByPlatform },
    connection_id: 'connection_id',
    link_id: 'link_id',
    conversation_id: { sql: 'conversation_id', implies: impliedByConversation },
    message_id: 'message_id',
  },
  revised: 'revised_at',
  lowFrequency: { ...lowFrequencyStatuses, domain: deliveryStatuses, others: isInLane },
  total: (workspaceId, filter) =>
    filter.length === 0 ? { text: ALL_DELIVERIES, values: [workspaceId] } : undefined,
};

/** Messages in PostgreSQL. Accepting, editing and deleting are database functions. */
export class PostgresMessages implements MessageStore {
  readonly #arriving: Batcher<NewMessage, AcceptAnswer>;
  /** Messages whose conversation another transaction was writing to. They wait for it without delaying the others. */
  readonly #waiting: Batcher<NewMessage, AcceptAnswer>;

  constructor(private readonly pool: Pool) {
    this.#arriving = new Batcher((messages) => this.#acceptAll(messages, false), {
      maxItems: 128,
      atOnce: 1,
      failsTogether: true,
    });
    this.#waiting = new Batcher((messages) => this.#acceptAll(messages, true), { maxItems: 64, atOnce: 4 });
  }

  async accept(message: NewMessage): Promise<MessageRecord> {
    try {
      // A batch is stored for one reader, so the message of a restricted member is stored alone.
      let answer =
        currentReader() === undefined
          ? await this.#arriving.add(message)
          : ((await this.#acceptAll([message], true))[0] as AcceptAnswer);
      if ('busy' in answer) answer = await this.#waiting.add(message);
      if ('busy' in answer) throw new Error('The conversation was not waited for.');
      if (isRefusal(answer)) throw refusalError(answer, WHAT);
      return answer.record;
    } catch (error) {
      return translateRefusal(error, WHAT);
    }
  }

  async acceptTo(to: MessageAddress, message: NewMessage): Promise<MessageRecord> {
    const { workspace_id, sender_id: creator_id, participant_id } = message;
    const input = { workspace_id, creator_id, participant_id, to, message };
    return (await sendToAddress(this.pool, input, WHAT)).record;
  }

  #acceptAll(messages: readonly NewMessage[], patient: boolean): Promise<AcceptAnswer[]> {
    return acceptMessages(this.pool, { inputs: messages, patient });
  }

  listVersions(workspaceId: string, id: string): Promise<readonly MessageVersionRecord[]> {
    return readVersions(this.pool, workspaceId, id);
  }

  trace(workspaceId: string, id: string): Promise<MessageTraceRecord> {
    return readTrace(this.pool, workspaceId, id);
  }

  async find(scope: MessageScope, id: string): Promise<MessageRecord | undefined> {
    const { rows } = await readIn<{ record: MessageRecord }>(this.pool, scope.workspaceId, {
      text: `SELECT ${messageRecordSql('m')} AS record FROM messages m
       WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL
         AND ($3::uuid IS NULL OR EXISTS (SELECT 1 FROM participants p
           WHERE p.conversation_id = m.conversation_id AND p.user_id = $3 AND p.left_at IS NULL))`,
      values: [id, scope.workspaceId, scope.participantId ?? null],
    });
    return rows[0]?.record;
  }

  async list(
    scope: MessageScope,
    conversation: string | number | undefined,
    query: ListQuery,
  ): Promise<ListPage<MessageRecord>> {
    const conditions = participantConditions(scope);
    const { workspaceId } = scope;
    if (conversation === undefined)
      return listRecords(this.pool, messageSource, messageList, workspaceId, query, conditions);
    const id = await this.#visibleConversation(scope, conversation);
    const only = {
      field: 'conversation_id',
      negated: false,
      values: [{ operator: 'eq', value: id }],
    } as const;
    // A caller who sees the conversation sees all its messages.
    const within = { ...query, filter: [only, ...query.filter] };
    return listRecords(this.pool, messageSource, messageList, workspaceId, within);
  }

  async #visibleConversation(scope: MessageScope, conversation: string | number): Promise<string> {
    const key = typeof conversation === 'number' ? 'number = $2::bigint' : 'id = $2::uuid';
    const { rows } = await readIn<{ id: string }>(this.pool, scope.workspaceId, {
      text: `SELECT id FROM conversations c WHERE workspace_id = $1 AND ${key} AND deleted_at IS NULL
         AND ($3::uuid IS NULL OR EXISTS (SELECT 1 FROM participants p
           WHERE p.conversation_id = c.id AND p.user_id = $3 AND p.left_at IS NULL))`,
      values: [scope.workspaceId, conversation, scope.participantId ?? null],
    });
    if (rows[0] === undefined) throw notFound('The conversation', 'conversation_id');
    return rows[0].id;
  }

  async edit(scope: MessageScope, id: string, change: MessageChange): Promise<MessageRecord> {
    return (await editMessage(this.pool, { ...byClient(scope, id), patch: change }, WHAT)).record;
  }

  async delete(scope: MessageScope, id: string, actorId: string): Promise<void> {
    await deleteMessage(this.pool, { ...byClient(scope, id), actor: actorId }, WHAT);
  }

  async release(id: string): Promise<boolean> {
    return (await releaseMessage(this.pool, id)) ?? false;
  }

  async findDelivery(scope: MessageScope, id: string): Promise<DeliveryRecord | undefined> {
    const conditions = participantConditions(scope);
    const { rows } = await readIn<{ record: DeliveryRecord }>(this.pool, scope.workspaceId, {
      text: `SELECT ${deliveryRecordSql('deliveries')} AS record FROM deliveries
       WHERE id = $1 AND workspace_id = $2 AND ${deliverySource.where}
         AND ($3::uuid IS NULL OR ${conditions.length === 0 ? 'true' : TAKES_PART.replaceAll('$1', '$3')})`,
      values: [id, scope.workspaceId, scope.participantId ?? null],
    });
    return rows[0]?.record;
  }

  listDeliveries(scope: MessageScope, query: ListQuery): Promise<ListPage<DeliveryRecord>> {
    const conditions = participantConditions(scope);
    return listRecords(this.pool, deliverySource, deliveryList, scope.workspaceId, query, conditions);
  }
}

const TAKES_PART =
  'conversation_id IN (SELECT p.conversation_id FROM participants p WHERE p.user_id = $1::uuid AND p.left_at IS NULL)';

function participantConditions(scope: MessageScope): Fragment[] {
  return scope.participantId === undefined ? [] : [{ sql: TAKES_PART, values: [scope.participantId] }];
}

function byClient(scope: MessageScope, id: string) {
  return {
    workspace: scope.workspaceId,
    message: id,
    participant: scope.participantId ?? null,
    byPlatform: false,
  };
}
