import pg from 'pg';
import { type SessionConfig, sendSettings, withSettings } from './session-settings.js';

/**
 * A single connection, already open.
 *
 * A lost connection is reported through its queries and through `end`. Without a listener for `error`, Node would also end the
 * process.
 */
export async function connectClient(config: pg.ClientConfig & SessionConfig): Promise<pg.Client> {
  const client = new pg.Client(withSettings(config));
  client.on('error', () => undefined);
  await client.connect();
  if (config.support?.sentBy === 'statement') await sendSettings(client, config);
  return client;
}
