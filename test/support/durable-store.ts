import { Receive } from '../../src/core/inbound/receive.js';
import type { ConformanceStore } from '../../src/testing/index.js';
import type { BridgeStage } from './bridge.js';
import { recordingLog } from './log.js';
import { values } from './people.js';

/** The bridge's own store: the envelopes of a check are committed to PostgreSQL as in the service. */
export function durableStore(stage: BridgeStage): ConformanceStore {
  const connections = new Map<string, Promise<string>>();
  const idOf = (connection: string): Promise<string> => {
    const known = connections.get(connection) ?? stage.connection('alpha');
    connections.set(connection, known);
    return known;
  };
  return {
    async receive(connection, { envelope, events }) {
      const receive = new Receive(stage.inbound, { decode: async () => events }, recordingLog());
      await receive.envelope(await idOf(connection), envelope);
    },
    async texts(connection) {
      return values<string>(
        stage.pool,
        `SELECT text FROM messages WHERE origin->>'connection_id' = $1 ORDER BY created_at, id`,
        [await idOf(connection)],
      );
    },
  };
}
