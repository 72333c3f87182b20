import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import type { WebhookStore } from '../ports.js';
import type { WebhookRecord } from '../record.js';
import { assertReader, assertScopes } from '../subscription.js';

/** The webhook, if the caller holds all its scopes. Raises `access_denied`, `not_found`. */
export async function getReachable(store: WebhookStore, caller: Caller, id: string): Promise<WebhookRecord> {
  assertReader(caller.scopes);
  return assertReachable(await store.find(caller.workspaceId, id), caller);
}

/** Raises `not_found` if there is none, and `access_denied` unless the caller holds all scopes of the webhook. */
export function assertReachable(webhook: WebhookRecord | undefined, caller: Caller): WebhookRecord {
  if (webhook === undefined) throw notFound('The webhook');
  assertScopes(webhook.scopes, caller.scopes);
  return webhook;
}
