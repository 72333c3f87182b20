import type { Pool } from 'pg';
import { Batcher } from '../../core/common/batcher.js';
import type { SecretBox } from '../../core/common/secret-box.js';
import { testEvent } from '../../core/webhooks/catalogue.js';
import type { WebhookDeliveryRecord } from '../../core/webhooks/record.js';
import { failingLimitMs } from '../../core/webhooks/schedule.js';
import type {
  AddedNotifications,
  ClaimedDelivery,
  PendingNotification,
  RecordedTry,
  Subscriber,
  TryRecord,
  WebhookQueue,
} from '../../core/webhooks/webhook-queue.js';
import { wakeWebhooks } from '../calls.gen.js';
import {
  ADD,
  ADD_CLAIMED,
  CLAIM,
  CLAIM_TEST,
  FORGOTTEN,
  RECORD,
  RECORD_OF,
  RELEASE,
  RELEASE_ALL,
  SUBSCRIBERS,
  WAKE_WHEN_DUE,
} from './queue-statements.js';
import { type SealedWebhook, WebhookSecrets } from './secrets.js';

const maxParallel = 10;
// A try takes at most a quarter of this time, so the holder of an expired lease is dead or stuck.
const leaseMs = 60_000;

const together = { maxItems: 50, atOnce: 4 };

interface AskedClaim {
  readonly webhookId: string;
  readonly maxDeliveries: number;
}

interface TriedDelivery {
  readonly claimed: ClaimedDelivery;
  readonly tried: TryRecord;
}

interface AskedWakeUp {
  readonly webhookId: string;
  readonly atLeastMs: number;
}

interface ClaimRow extends Omit<SealedWebhook, 'id'> {
  id: string;
  lease_end: string;
  tries: number;
  start_in_ms: number;
  event_id: string;
  position: string;
  type: string;
  occurred_at: Date;
  data: Record<string, unknown>;
  extra: Record<string, unknown> | null;
  webhook_id: string;
  url: string;
  api_version: '1.0' | '2.0';
}

/** The queue of deliveries to webhooks in PostgreSQL, for the workers. */
export class PostgresWebhookQueue implements WebhookQueue {
  readonly #secrets: WebhookSecrets;
  readonly #claims = new Batcher((asked: readonly AskedClaim[]) => this.#claimAll(asked), together);
  readonly #records = new Batcher((tried: readonly TriedDelivery[]) => this.#recordAll(tried), together);
  readonly #wakeUps = new Batcher((asked: readonly AskedWakeUp[]) => this.#wakeAll(asked), together);

  constructor(
    private readonly pool: Pool,
    box: SecretBox,
  ) {
    this.#secrets = new WebhookSecrets(box);
  }

  async subscribers(workspaceIds: readonly string[]): Promise<Subscriber[]> {
    const query = { name: 'webhooks.subscribers', text: SUBSCRIBERS, values: [workspaceIds] };
    return (await this.pool.query<Subscriber>(query)).rows;
  }

  async add(notifications: readonly PendingNotification[]): Promise<void> {
    if (notifications.length === 0) return;
    await this.pool.query({ name: 'webhooks.add', text: ADD, values: valuesOf(notifications) });
  }

  async addClaimed(
    notifications: readonly PendingNotification[],
    maxEndpoints: number,
  ): Promise<AddedNotifications> {
    if (notifications.length === 0) return { claimed: [], waiting: [] };
    const { rows } = await this.pool.query<ClaimRow & { hook: string }>({
      name: 'webhooks.add_claimed',
      text: ADD_CLAIMED,
      values: [...valuesOf(notifications), maxEndpoints, maxParallel, leaseMs],
    });
    const taken = rows.filter(({ id }) => id !== null);
    const claimed = await Promise.all(taken.map((row) => this.#toClaimed(row)));
    return { claimed, waiting: rows.filter(({ id }) => id === null).map(({ hook }) => hook) };
  }

  async wake(webhookIds: readonly string[]): Promise<void> {
    if (webhookIds.length > 0) await wakeWebhooks(this.pool, webhookIds);
  }

  claim(webhookId: string, maxDeliveries: number): Promise<ClaimedDelivery[]> {
    return this.#claims.add({ webhookId, maxDeliveries });
  }

  record(claimed: ClaimedDelivery, tried: TryRecord): Promise<RecordedTry | undefined> {
    return this.#records.add({ claimed, tried });
  }

  async recordOf(deliveryId: string): Promise<WebhookDeliveryRecord> {
    const { rows } = await this.pool.query<{ record: WebhookDeliveryRecord }>(RECORD_OF, [deliveryId]);
    return rows[0]!.record;
  }

  async release(claimed: ClaimedDelivery): Promise<void> {
    await this.pool.query(RELEASE, [claimed.id, claimed.lease]);
  }

  wakeWhenDue(webhookId: string, atLeastMs: number): Promise<void> {
    return this.#wakeUps.add({ webhookId, atLeastMs });
  }

  async releaseAll(): Promise<void> {
    await this.pool.query(RELEASE_ALL);
  }

  async wakeStalled(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(FORGOTTEN);
    return rows[0]?.count ?? 0;
  }

  async claimTest(webhookId: string, message: string): Promise<ClaimedDelivery> {
    const values = [webhookId, testEvent, message, leaseMs];
    const { rows } = await this.pool.query<ClaimRow>(CLAIM_TEST, values);
    return this.#toClaimed(rows[0]!);
  }

  async #claimAll(asked: readonly AskedClaim[]): Promise<ClaimedDelivery[][]> {
    const { rows } = await this.pool.query<ClaimRow & { n: number }>({
      name: 'webhooks.claim',
      text: CLAIM,
      values: [
        JSON.stringify(
          asked.map(({ webhookId, maxDeliveries }) => ({ webhook_id: webhookId, room: maxDeliveries })),
        ),
        maxParallel,
        leaseMs,
      ],
    });
    const answers = asked.map((): ClaimedDelivery[] => []);
    for (const row of rows) answers[row.n - 1]?.push(await this.#toClaimed(row));
    return answers;
  }

  async #recordAll(all: readonly TriedDelivery[]): Promise<(RecordedTry | undefined)[]> {
    const { rows } = await this.pool.query<{ n: number; status: RecordedTry['status']; more: boolean }>({
      name: 'webhooks.record',
      text: RECORD,
      values: [
        all.map(({ claimed }) => claimed.id),
        all.map(({ claimed }) => claimed.lease),
        all.map(({ tried }) => JSON.stringify({ ...tried.attempt, excerpt: tried.excerpt })),
        all.map(({ tried }) => tried.verdict.status),
        all.map(({ tried }) => tried.verdict.retryInMs ?? null),
        all.map(({ tried }) => tried.verdict.gone),
        all.map(({ claimed }) => claimed.webhookId),
        failingLimitMs,
      ],
    });
    const records = new Map(rows.map(({ n, status, more }) => [n, { status, isMoreDue: more }]));
    return all.map((_, index) => records.get(index + 1));
  }

  async #wakeAll(asked: readonly AskedWakeUp[]): Promise<undefined[]> {
    await this.pool.query({
      name: 'webhooks.wake_when_due',
      text: WAKE_WHEN_DUE,
      values: [asked.map(({ webhookId }) => webhookId), asked.map(({ atLeastMs }) => atLeastMs)],
    });
    return asked.map(() => undefined);
  }

  async #toClaimed(row: ClaimRow): Promise<ClaimedDelivery> {
    const sealed = { ...row, id: row.webhook_id };
    return {
      id: row.id,
      webhookId: row.webhook_id,
      workspaceId: row.workspace_id,
      lease: row.lease_end,
      tries: row.tries,
      startInMs: Math.max(0, row.start_in_ms),
      event: {
        id: row.event_id,
        position: Number(row.position),
        type: row.type,
        occurredAt: row.occurred_at,
        data: row.data,
        extra: row.extra,
      },
      endpoint: {
        url: row.url,
        secrets: await this.#secrets.openSecrets(sealed),
        headers: await this.#secrets.openHeaders(sealed),
        apiVersion: row.api_version,
      },
    };
  }
}

/** One array per column, for unnest. */
function valuesOf(notifications: readonly PendingNotification[]): unknown[][] {
  return [
    notifications.map(({ event }) => event.workspaceId),
    notifications.map(({ subscriber }) => subscriber.webhookId),
    notifications.map(({ event }) => event.position),
    notifications.map(({ event }) => event.id),
    notifications.map(({ event }) => event.type),
    notifications.map(({ event }) => event.subject),
  ];
}
