import pg from 'pg';

/**
 * A single connection, already open.
 *
 * A lost connection is reported through its queries and through `end`; without a listener for `error` Node
 * would end the process as well.
 */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
