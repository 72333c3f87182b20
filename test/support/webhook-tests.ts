import { afterAll, afterEach, beforeAll } from 'vitest';
import { type LoopbackServer, loopbackReceiver } from './loopback-receiver.js';
import { type TestDatabase, testDatabase } from './postgres.js';
import { type WebhookStage, webhookStage } from './webhook-stage.js';

/** Webhooks over one database for all tests of a file. No test sees reminders of another one. */
export function beforeWebhooks(prepare: (stage: WebhookStage) => void): void {
  let database: TestDatabase;
  let stage: WebhookStage;
  beforeAll(async () => {
    database = await testDatabase();
    stage = webhookStage(database);
    prepare(stage);
  });
  afterEach(() => stage.takeReminders());
  afterAll(async () => {
    await stage.deliverDue.stop();
    await stage.guard.close();
    await database.drop();
  });
}

/** Creates receivers that are closed after the test. */
export function receivers() {
  const open: LoopbackServer[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  const receiver = async (...args: Parameters<typeof loopbackReceiver>) => {
    const made = await loopbackReceiver(...args);
    open.push(made);
    return made;
  };
  return {
    receiver,
    /** A receiver that responds with these statuses in turn; the last one is repeated. */
    answering: (...statuses: number[]) =>
      receiver((_request, response) =>
        response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0])!).end(),
      ),
  };
}
