import type { Pool } from 'pg';
import type { Envelope, JsonValue, RemoteChat } from '../../contract/index.js';
import type { DeliveryTask } from '../../core/deliveries/task.js';
import type { MessageRecord } from '../../core/messages/record.js';
import { Moment } from '../../core/moment.js';
import type {
  AppliedEvent,
  InboundStore,
  PausedLink,
  StoredEnvelope,
  Taken,
} from '../../core/ports/inbound.js';
import { type Lane, nobodySends, type Senders } from '../../core/ports/senders.js';
import { callFunction } from '../connection/function-calls.js';
import { LEASE_SECONDS } from '../deliveries/deliveries.js';
import { type Arrival, InboundLanes } from './inbound-lanes.js';

/** Envelopes and their effects in PostgreSQL. */
export class PostgresInbound implements InboundStore {
  readonly #lanes = new InboundLanes({
    many: (arrivals) => this.#receiveAll(arrivals),
    one: (arrival) => this.#receiveOne(arrival),
  });

  constructor(
    private readonly pool: Pool,
    private readonly senders: Senders = nobodySends,
  ) {}

  receive(
    connectionId: string,
    envelope: Envelope,
    events: readonly AppliedEvent[],
    status: 'processed' | 'unsupported' | 'pending' | 'dead',
  ): Promise<Taken> {
    return this.#lanes.take({ connectionId, envelope, events, status });
  }

  async #receiveOne({ connectionId, envelope, events, status }: Arrival): Promise<Taken> {
    const askedAt = new Moment();
    const rows = await callFunction<{ answer: Taken & { readonly leased?: Leased | null } }>(
      this.pool,
      'The envelope',
      'SELECT receive_envelope($1, $2, $3, $4, $5, $6) AS answer',
      [
        connectionId,
        JSON.stringify(envelope),
        JSON.stringify(events),
        status,
        this.senders.ready(),
        LEASE_SECONDS,
      ],
    );
    const { stored = false, message = null, notes, leased } = rows[0]?.answer ?? {};
    await this.#handOver(leased, askedAt);
    return notes === null || notes === undefined ? { stored, message } : { stored, message, notes };
  }

  async #receiveAll(arrivals: readonly Arrival[]): Promise<(Taken | undefined)[]> {
    const items = arrivals.map(({ connectionId, envelope, events: [event] }) => ({
      connection_id: connectionId,
      envelope,
      event,
    }));
    const askedAt = new Moment();
    const { rows } = await this.pool.query<{ answer: TakenTogether }>({
      // Its name holds that of the function: the faults look for it on the wire.
      name: 'inbound.receive_envelopes',
      text: 'SELECT receive_envelopes($1, $2, $3) AS answer',
      values: [JSON.stringify(items), this.senders.ready(), LEASE_SECONDS],
    });
    await this.#handOver(rows[0]?.answer.leased, askedAt);
    return (rows[0]?.answer.answers ?? []).map((answer) => ('alone' in answer ? undefined : answer));
  }

  async #handOver(leased: Leased | null | undefined, askedAt: Moment): Promise<void> {
    if (leased === null || leased === undefined) return;
    if (leased.waiting.length > 0) this.senders.wake(leased.waiting);
    if (leased.tasks.length > 0) await this.senders.take(leased.tasks, askedAt);
  }

  async findMessage(connectionId: string, externalId: string): Promise<MessageRecord | undefined> {
    const { rows } = await this.pool.query<{ record: MessageRecord }>(
      `SELECT message_record(m) AS record FROM remote_messages x JOIN messages m ON m.id = x.message_id
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

  async retry(envelopeId: string, events: readonly AppliedEvent[]): Promise<void> {
    await callFunction(this.pool, 'The envelope', 'SELECT retry_envelope($1, $2)', [
      envelopeId,
      JSON.stringify(events),
    ]);
  }

  async pauseLoop(connectionId: string, chat: RemoteChat): Promise<PausedLink | undefined> {
    const rows = await callFunction<{ paused: PausedLink | null }>(
      this.pool,
      'The link',
      'SELECT pause_loop($1, $2) AS paused',
      [connectionId, JSON.stringify(chat)],
    );
    return rows[0]?.paused ?? undefined;
  }

  async fail(envelopeId: string, reason: string): Promise<'pending' | 'dead'> {
    const { rows } = await this.pool.query<{ status: 'pending' | 'dead' }>(
      'SELECT fail_envelope($1, $2) AS status',
      [envelopeId, reason],
    );
    return rows[0]?.status ?? 'dead';
  }
}

/** Copies that this process is to send at once, and the lanes in which others wait. */
interface Leased {
  readonly tasks: readonly DeliveryTask[];
  readonly waiting: readonly Lane[];
}

interface TakenTogether {
  readonly answers: readonly (Taken | { readonly alone: true })[] | null;
  readonly leased: Leased | null;
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
