import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let stage: BridgeStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
});
afterAll(() => database.drop());

const statusOf = (messageId: string) =>
  values<string>(database.pool, 'SELECT status FROM deliveries WHERE message_id = $1', [messageId]);

it('the work of a dead worker is taken over even when another sweep fails', async () => {
  const connection = await stage.connection('alpha');
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, 'a');
  const message = await stage.send(conversation, 'Begun');
  await stage.claimOne(connection);
  await database.pool.query("UPDATE links SET leased_until = now() - interval '1 s'");
  const later = await stage.send(conversation, 'Later');
  await database.pool.query(
    "UPDATE messages SET status = 'scheduled', send_at = now() - interval '1 s' WHERE id = $1",
    [later.id],
  );
  await database.pool.query(`
    CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stuck'; END $$;
    CREATE TRIGGER stuck BEFORE UPDATE ON messages FOR EACH ROW WHEN (OLD.text = 'Later') EXECUTE FUNCTION stuck()`);
  await expect(stage.deliveries.sweep()).rejects.toThrow('stuck');
  expect(await statusOf(message.id)).toEqual(['uncertain']);
});
