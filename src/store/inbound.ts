import type { Pool } from 'pg';
import type { Envelope, JsonValue } from '../contract/index.js';
import type { MessageRecord } from '../core/messages/record.js';
import type { AppliedEvent, InboundStore, StoredEnvelope, Taken } from '../core/ports/inbound.js';
import { callFunction } from './functions.js';
import { type Arrival, InboundLanes } from './inbound-lanes.js';

/** Envelopes and their effects in PostgreSQL. */
export class PostgresInbound implements InboundStore {
  readonly #lanes = new InboundLanes({
    many: (arrivals) => this.#receiveAll(arrivals),
    one: (arrival) => this.#receiveOne(arrival),
  });

  constructor(private readonly pool: Pool) {}

  receive(
    connectionId: string,
    envelope: Envelope,
    events: readonly AppliedEvent[],
    status: 'processed' | 'unsupported' | 'pending',
  ): Promise<Taken> {
    return this.#lanes.take({ connectionId, envelope, events, status });
  }

  async #receiveOne({ connectionId, envelope, events, status }: Arrival): Promise<Taken> {
    const rows = await callFunction<{ answer: Taken }>(
      this.pool,
      'The envelope',
      'SELECT receive_envelope($1, $2, $3, $4) AS answer',
      [connectionId, JSON.stringify(envelope), JSON.stringify(events), status],
    );
    return rows[0]?.answer ?? { stored: false, message: null };
  }

  async #receiveAll(arrivals: readonly Arrival[]): Promise<(Taken | undefined)[]> {
    const items = arrivals.map(({ connectionId, envelope, events: [event] }) => ({
      connection_id: connectionId,
      envelope,
      event,
    }));
    const { rows } = await this.pool.query<{ answers: (Taken | { readonly alone: true })[] }>({
      // Its name holds that of the function: the faults look for it on the wire.
      name: 'inbound.receive_envelopes',
      text: 'SELECT receive_envelopes($1) AS answers',
      values: [JSON.stringify(items)],
    });
    return (rows[0]?.answers ?? []).map((answer) => ('alone' in answer ? undefined : answer));
  }

  async findMessage(connectionId: string, externalId: string): Promise<MessageRecord | undefined> {
    const { rows } = await this.pool.query<{ record: MessageRecord }>(
      `SELECT message_record(m) AS record FROM remote_messages x JOIN messages m ON m.id = x.message_id
       WHERE x.connection_id = $1 AND x.external_id = $2 AND x.delivery_id IS NULL AND m.deleted_at IS NULL`,
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

  async fail(envelopeId: string, reason: string): Promise<'pending' | 'dead'> {
    const { rows } = await this.pool.query<{ status: 'pending' | 'dead' }>(
      'SELECT fail_envelope($1, $2) AS status',
      [envelopeId, reason],
    );
    return rows[0]?.status ?? 'dead';
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
