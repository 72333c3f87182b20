import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { WebhookAnswerRecord, WebhookDeliveryRecord, WebhookRecord } from './record.js';
import type { Subscription } from './subscription.js';

/** A registration, decided. */
export interface NewWebhook extends Subscription {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdBy: string;
  /** The key that registers it; null for a person in the dashboard. */
  readonly createdByKey: string | null;
  readonly url: string;
  readonly secret: string;
  readonly apiVersion: '1.0' | '2.0';
  readonly status: 'enabled' | 'disabled';
  readonly headers: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly rateLimit: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What changes; absent fields stay. */
export interface WebhookChange {
  readonly url?: string;
  readonly subscription?: Subscription;
  readonly status?: 'enabled' | 'disabled';
  readonly headers?: Readonly<Record<string, string>>;
  readonly description?: string | null;
  readonly rateLimit?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface SecretRotation {
  /** The same again gives the secret that it made: a try whose answer was lost. */
  readonly id: string;
  readonly secret: string;
  /** How long the old secret still signs; 0 ends it at once. */
  readonly overlapSeconds: number;
}

/** Registered receivers. Everything is limited to the workspace named; deleted ones don't exist. */
export interface WebhookStore {
  /**
   * Registers, unless the workspace has `limit` receivers already. The same id again gives the one that was registered
   * under it, with its secret: a try whose answer was lost.
   */
  create(webhook: NewWebhook, limit: number): Promise<WebhookRecord | 'limit_reached'>;
  find(workspaceId: string, id: string): Promise<WebhookRecord | undefined>;
  /**
   * Changes what `decide` says about the current record, which is locked meanwhile; undefined when there is
   * none. An error of `decide` is passed on and nothing changes. Enabling clears what was counted as failing, disabling
   * cancels what is pending. A change to equal values leaves `updated_at` as it was.
   */
  change(
    workspaceId: string,
    id: string,
    decide: (current: WebhookRecord) => WebhookChange,
  ): Promise<WebhookRecord | undefined>;
  /** False when there is none. Pending deliveries are canceled. */
  delete(workspaceId: string, id: string): Promise<boolean>;
  /** The record has the new secret. */
  rotateSecret(workspaceId: string, id: string, rotation: SecretRotation): Promise<WebhookRecord | undefined>;
}

/** Deliveries to receivers, as their owner manages them. */
export interface WebhookDeliveryStore {
  find(workspaceId: string, webhookId: string, id: string): Promise<WebhookDeliveryRecord | undefined>;
  /** The webhook of a delivery, by its id. */
  webhookOf(workspaceId: string, id: string): Promise<string | undefined>;
  /** What the receiver answered to the attempts of a delivery in the last 7 days, oldest first. */
  answers(workspaceId: string, id: string): Promise<WebhookAnswerRecord[]>;
  /** Makes a finished delivery pending, due now, with all its tries; undefined when it is pending or its webhook not enabled. */
  retry(webhookId: string, id: string): Promise<WebhookDeliveryRecord | undefined>;
  /** Makes every dead delivery created since then pending; resolves with their number. */
  recover(webhookId: string, since: Date): Promise<number>;
}

/** The test of one receiver. */
export interface WebhookTester {
  /** Records the test event, tries it once and resolves with the delivery after the try. */
  test(webhookId: string, message: string): Promise<WebhookDeliveryRecord>;
}

/** Pages of receivers and of what was sent to them. */
export interface WebhookLists {
  /** Receivers whose scopes are all among `scopes`. */
  webhooks(
    workspaceId: string,
    scopes: readonly string[],
    query: ListQuery,
  ): Promise<ListPage<WebhookRecord>>;
  deliveries(
    workspaceId: string,
    webhookId: string,
    query: ListQuery,
  ): Promise<ListPage<WebhookDeliveryRecord>>;
}
