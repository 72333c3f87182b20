import type { Pool } from 'pg';
import type { Envelope, JsonValue, RemoteChat } from '../../contract/index.js';
import { Stopwatch } from '../../core/common/stopwatch.js';
import { type LocalDispatcher, noDispatcher } from '../../core/deliveries/dispatch/local-dispatcher.js';
import type {
  AppliedEvent,
  InboundStore,
  PausedLink,
  StoredEnvelope,
  Taken,
} from '../../core/inbound/ports.js';
import type { MessageRecord } from '../../core/messages/record.js';
import {
  failEnvelope,
  messageRecordSql,
  pauseLoop,
  receiveEnvelope,
  receiveEnvelopes,
  retryEnvelope,
} from '../calls.gen.js';
import { LEASE_SECONDS } from '../deliveries/deliveries.js';
import { type Arrival, InboundLanes } from './inbound-lanes.js';
import type { LeasedCopies } from './inbound-rows.js';

const WHAT = 'The envelope';

/** Envelopes and their effects in PostgreSQL. */
export class PostgresInbound implements InboundStore {
  readonly #lanes = new InboundLanes({
    many: (arrivals) => this.#receiveAll(arrivals),
    one: (arrival) => this.#receiveOne(arrival),
  });

  constructor(
    private readonly pool: Pool,
    private readonly dispatcher: LocalDispatcher = noDispatcher,
  ) {}

  receive(
    connectionId: string,
    envelope: Envelope,
    events: readonly AppliedEvent[],
    status: 'processed' | 'unsupported' | 'pending' | 'dead',
    reason?: string,
  ): Promise<Taken> {
    return this.#lanes.take({ connectionId, envelope, events, status, reason });
  }

  async #receiveOne({ connectionId, envelope, events, status, reason }: Arrival): Promise<Taken> {
    const askedAt = new Stopwatch();
    const { stored, message, notes, leased } = await receiveEnvelope(
      this.pool,
      {
        connection: connectionId,
        envelope: reason === undefined ? envelope : { ...envelope, error: reason },
        inboundEvents: events,
        state: status,
        localConnections: this.dispatcher.ready(),
        leaseSeconds: LEASE_SECONDS,
      },
      WHAT,
    );
    await this.#handOver(leased, askedAt);
    return notes === null || notes === undefined ? { stored, message } : { stored, message, notes };
  }

  async #receiveAll(arrivals: readonly Arrival[]): Promise<(Taken | undefined)[]> {
    const items = arrivals.map(({ connectionId, envelope, events: [event] }) => ({
      connection_id: connectionId,
      envelope,
      event,
    }));
    const askedAt = new Stopwatch();
    const { answers, leased } = await receiveEnvelopes(this.pool, {
      items,
      localConnections: this.dispatcher.ready(),
      leaseSeconds: LEASE_SECONDS,
    });
    await this.#handOver(leased, askedAt);
    return (answers ?? []).map((answer) => ('alone' in answer ? undefined : answer));
  }

  async #handOver(leased: LeasedCopies | null | undefined, askedAt: Stopwatch): Promise<void> {
    if (leased === null || leased === undefined) return;
    if (leased.waiting.length > 0) this.dispatcher.wake(leased.waiting);
    if (leased.tasks.length > 0) await this.dispatcher.take(leased.tasks, askedAt);
  }

  async findMessage(connectionId: string, externalId: string): Promise<MessageRecord | undefined> {
    const { rows } = await this.pool.query<{ record: MessageRecord }>(
      `SELECT ${messageRecordSql('m')} AS record FROM remote_messages x JOIN messages m ON m.id = x.message_id
       WHERE x.connection_id = $1 AND x.external_id = $2 AND x.delivery_id IS NULL AND NOT x.alias AND m.deleted_at IS NULL`,
      [connectionId, externalId],
    );
    return rows[0]?.record;
  }

  async findPending(envelopeId: string): Promise<StoredEnvelope | undefined> {
    const { rows } = await this.pool.query<EnvelopeRow>(
      `SELECT id, connection_id, dedupe_key, lane, payload, context FROM envelopes WHERE id = $1 AND status = 'pending'`,
      [envelopeId],
    );
    return rows[0] === undefined ? undefined : toEnvelope(rows[0]);
  }

  retry(envelopeId: string, events: readonly AppliedEvent[]): Promise<void> {
    return retryEnvelope(this.pool, { envelope: envelopeId, inboundEvents: events }, WHAT);
  }

  async pauseLoop(connectionId: string, chat: RemoteChat): Promise<PausedLink | undefined> {
    return (await pauseLoop(this.pool, { connection: connectionId, chat })) ?? undefined;
  }

  async fail(envelopeId: string, reason: string): Promise<'pending' | 'dead'> {
    return (await failEnvelope(this.pool, { envelope: envelopeId, reason })) ?? 'dead';
  }
}

interface EnvelopeRow {
  id: string;
  connection_id: string;
  dedupe_key: string;
  lane: string;
  payload: JsonValue;
  context: Record<string, string>;
}

function toEnvelope(row: EnvelopeRow): StoredEnvelope {
  return {
    id: row.id,
    connectionId: row.connection_id,
    envelope: { dedupeKey: row.dedupe_key, lane: row.lane, payload: row.payload, context: row.context },
  };
}
