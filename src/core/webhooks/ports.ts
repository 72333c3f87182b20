import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { WebhookAnswerRecord, WebhookDeliveryRecord, WebhookRecord } from './record.js';
import type { Subscription } from './subscription.js';

/** A validated registration. */
export interface NewWebhook extends Subscription {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdBy: string;
  /** The key that registers it. Null for a person in the dashboard. */
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

/** The fields to change. Absent fields do not change. */
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
  /** A repeated id returns the secret that it created, for a retry after a lost response. */
  readonly id: string;
  readonly secret: string;
  /** How long the old secret still signs. 0 ends it at once. */
  readonly overlapSeconds: number;
}

/** Registered webhooks. All calls are limited to the named workspace. Deleted webhooks are not visible. */
export interface WebhookStore {
  /**
   * Registers a webhook, unless the workspace already has `limit`, or the key was revoked or has expired meanwhile. A repeated id
   * returns the webhook that was registered under it, with its secret, for a retry after a lost response.
   */
  create(webhook: NewWebhook, limit: number): Promise<WebhookRecord | 'limit_reached' | 'key_ended'>;
  find(workspaceId: string, id: string): Promise<WebhookRecord | undefined>;
  /**
   * Applies the change that `decide` returns for the current record, which is locked during the call. Undefined if there is no
   * such webhook. An error of `decide` is raised, and nothing changes. Enabling clears the failure state, and disabling cancels
   * pending deliveries. A change to equal values leaves `updated_at` unchanged.
   */
  change(
    workspaceId: string,
    id: string,
    decide: (current: WebhookRecord) => WebhookChange,
  ): Promise<WebhookRecord | undefined>;
  /** False if there is no such webhook. Pending deliveries are canceled. */
  delete(workspaceId: string, id: string): Promise<boolean>;
  /** The record contains the new secret. */
  rotateSecret(workspaceId: string, id: string, rotation: SecretRotation): Promise<WebhookRecord | undefined>;
}

/** Webhook deliveries, for the owner of the webhook. */
export interface WebhookDeliveryStore {
  find(workspaceId: string, webhookId: string, id: string): Promise<WebhookDeliveryRecord | undefined>;
  /** The id of a delivery's webhook. */
  webhookOf(workspaceId: string, id: string): Promise<string | undefined>;
  /** The responses of the receiver to the attempts of a delivery in the last 7 days, oldest first. */
  answers(workspaceId: string, id: string): Promise<WebhookAnswerRecord[]>;
  /**
   * Makes a finished delivery pending and due, with a full set of attempts. Undefined if it is pending or its webhook is not
   * enabled. Stores the record as the response of a claim.
   */
  retry(webhookId: string, id: string, claim?: ClaimKey): Promise<WebhookDeliveryRecord | undefined>;
  /** Makes every dead delivery created since then pending. Resolves with their number, and stores it as the response of a claim. */
  recover(webhookId: string, since: Date, claim?: ClaimKey): Promise<number>;
}

/** Tests one webhook. */
export interface WebhookTester {
  /** Records the test event, makes one attempt and resolves with the delivery after the attempt. */
  test(webhookId: string, message: string): Promise<WebhookDeliveryRecord>;
}

/** Lists of webhooks and of their deliveries. */
export interface WebhookLists {
  /** Webhooks whose scopes are all in `scopes`. */
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
