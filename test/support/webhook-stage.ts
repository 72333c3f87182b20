import { v7 as uuid7 } from 'uuid';
import type { Caller } from '../../src/core/access/caller.js';
import { apiKeyScopes } from '../../src/core/access/scopes.js';
import { noopTelemetry } from '../../src/core/deliveries/telemetry.js';
import { createWebhookBody } from '../../src/core/webhooks/bodies.js';
import * as useCases from '../../src/core/webhooks/use-cases/index.js';
import { createGuard } from '../../src/outgoing/guard.js';
import { inTransaction } from '../../src/store/connection/transaction.js';
import { appendEvents, type NewEvent, PostgresEvents } from '../../src/store/events/events.js';
import { AesSecretBox } from '../../src/store/secrets/secret-box.js';
import { PostgresWebhookDeliveries } from '../../src/store/webhooks/deliveries.js';
import { PostgresWebhookQueue } from '../../src/store/webhooks/queue.js';
import { PostgresWebhooks } from '../../src/store/webhooks/webhooks.js';
import { DeliverDue } from '../../src/webhooks/deliver-due.js';
import { FanOut } from '../../src/webhooks/fan-out.js';
import { WebhookSender } from '../../src/webhooks/sender.js';
import { DirectTester } from '../../src/webhooks/tester.js';
import { recordingLog } from './log.js';
import type { TestDatabase } from './postgres.js';

/** All parts of webhooks, on a separate database. Receivers may be on loopback. */
export function webhookStage(database: TestDatabase) {
  const { pool } = database;
  const box = new AesSecretBox(Buffer.alloc(32, 7));
  const guard = createGuard({
    allowPrivateTargets: ['127.0.0.0/8'],
    ownAddress: () => undefined,
    totalTimeoutMs: 2_000,
  });
  const log = recordingLog();
  const webhooks = new PostgresWebhooks(pool, box);
  const deliveries = new PostgresWebhookDeliveries(pool);
  const queue = new PostgresWebhookQueue(pool, box);
  const presentData = (_type: string, data: Readonly<Record<string, unknown>>) => ({ ...data, shape: '2.0' });
  const sender = new WebhookSender(guard, { version: '1.2.3', presentData, random: () => 0.5 });
  const deliverDue = new DeliverDue({ queue, sender, log, telemetry: noopTelemetry });
  const create = new useCases.CreateWebhook(webhooks, guard);

  return {
    pool,
    box,
    log,
    guard,
    webhooks,
    deliveries,
    queue,
    create,
    get: new useCases.GetWebhook(webhooks),
    update: new useCases.UpdateWebhook(webhooks, guard),
    remove: new useCases.DeleteWebhook(webhooks),
    rotate: new useCases.RotateSecret(webhooks),
    test: new useCases.TestWebhook(webhooks, new DirectTester(queue, sender)),
    retry: new useCases.RetryWebhookDelivery(webhooks, deliveries),
    recover: new useCases.RecoverWebhookDeliveries(webhooks, deliveries, () => new Date()),
    /** Leaves all work to the queue, so that the test determines when it runs. */
    fanOut: new FanOut(new PostgresEvents(pool), queue, {
      capacity: 0,
      begin: () => undefined,
      checkDue: async () => undefined,
    }),
    deliverDue,
    /** Starts deliveries itself, as the service does. */
    fanOutHere: new FanOut(new PostgresEvents(pool), queue, deliverDue),
    fanOutTo: (to: DeliverDue) => new FanOut(new PostgresEvents(pool), queue, to),
    sender,

    /** A workspace with a user who holds all scopes. */
    async caller(scopes: readonly string[] = apiKeyScopes): Promise<Caller> {
      const [workspaceId, userId] = [uuid7(), uuid7()];
      await pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'Test')", [workspaceId]);
      await pool.query(
        "INSERT INTO users (id, workspace_id, kind, username, display_name) VALUES ($1, $2, 'member', 'u', 'U')",
        [userId, workspaceId],
      );
      const credential = { kind: 'session', id: uuid7() } as const;
      const rest = { environment: 'live', credential, rateLimit: 0, onlyOwnConversations: false } as const;
      return { workspaceId, userId, scopes: new Set(scopes), ...rest };
    },

    /** Registers a receiver. `more` contains further fields of the request body. */
    register(caller: Caller, url: string, more: object = {}, apiVersion: '1.0' | '2.0' = '1.0') {
      return create.execute(caller, createWebhookBody.parse({ url, events: ['*'], ...more }), { apiVersion });
    },

    /** Commits events and fans them out, as the relay does. */
    async emit(
      caller: Caller,
      ...events: readonly Omit<NewEvent, 'workspaceId'>[]
    ): Promise<readonly string[]> {
      const positions = await this.append(caller, ...events);
      await this.fanOut.run(positions);
      return positions;
    },

    /** Commits events. */
    append(caller: Caller, ...events: readonly Omit<NewEvent, 'workspaceId'>[]): Promise<readonly string[]> {
      const whole = events.map((event) => ({ ...event, workspaceId: caller.workspaceId }));
      return inTransaction(pool, (client) => appendEvents(client, whole));
    },

    /** Delivers until nothing is due. */
    deliver(webhookId: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
      return this.deliverDue.run(webhookId, signal);
    },

    /** Moves the times of pending deliveries, so that the next try is due. */
    async makeDue(webhookId: string): Promise<void> {
      await pool.query(
        "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 ms' WHERE webhook_id = $1 AND status = 'pending'",
        [webhookId],
      );
    },

    /** Records of a webhook's deliveries, oldest event first. */
    async records(webhookId: string) {
      const { rows } = await pool.query(
        'SELECT webhook_delivery_record(d) AS record FROM webhook_deliveries d WHERE webhook_id = $1 ORDER BY event_position',
        [webhookId],
      );
      return rows.map(({ record }) => record);
    },

    /** Reads and removes the queued reminders. */
    async takeReminders(): Promise<{ webhookId: string; runAt: Date | null }[]> {
      const { rows } = await pool.query(
        'DELETE FROM outbox WHERE topic = \'webhook\' RETURNING payload->>\'webhook_id\' AS "webhookId", run_at AS "runAt"',
      );
      return rows;
    },
  };
}

export type WebhookStage = ReturnType<typeof webhookStage>;
