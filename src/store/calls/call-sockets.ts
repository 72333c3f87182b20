import type { Pool } from 'pg';
import type { CallSignal, CallSockets, OpenSocket } from '../../core/calls/ports.js';
import { closeCallSockets, openCallSocket, recordSignalingHeartbeat } from '../calls.gen.js';

const SIGNALS =
  'SELECT id, workspace_id, call_id, recipients, frame::text AS frame, created_at FROM call_signals';

interface SignalRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly call_id: string;
  readonly recipients: string[];
  readonly frame: string;
  readonly created_at: Date;
}

/** Open call sockets in PostgreSQL, and the frames that their processes exchange. */
export class PostgresCallSockets implements CallSockets {
  constructor(private readonly pool: Pool) {}

  open(processId: string, { id, workspaceId, userId, callId }: OpenSocket): Promise<void> {
    return openCallSocket(this.pool, {
      socket: id,
      process: processId,
      workspace: workspaceId,
      member: userId,
      onlyCall: callId ?? null,
    });
  }

  close(socketIds: readonly string[]): Promise<void> {
    return closeCallSockets(this.pool, socketIds);
  }

  beat(processId: string): Promise<boolean> {
    return recordSignalingHeartbeat(this.pool, processId);
  }

  async signals(ids: readonly string[]): Promise<readonly CallSignal[]> {
    const text = `${SIGNALS} WHERE id = ANY ($1::bigint[]) ORDER BY id`;
    const { rows } = await this.pool.query<SignalRow>({ name: 'call_signals.find', text, values: [ids] });
    return rows.map(toSignal);
  }

  async recentSignals(): Promise<readonly CallSignal[]> {
    const text = `${SIGNALS} WHERE created_at > now() - interval '1 minute' ORDER BY id LIMIT 5000`;
    const { rows } = await this.pool.query<SignalRow>(text);
    return rows.map(toSignal);
  }
}

function toSignal(row: SignalRow): CallSignal {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    callId: row.call_id,
    recipients: row.recipients,
    frame: row.frame,
    createdAt: row.created_at,
  };
}
