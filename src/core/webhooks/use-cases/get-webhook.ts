import type { Caller } from '../../access/caller.js';
import type { WebhookStore } from '../ports.js';
import type { WebhookRecord } from '../record.js';
import { assertReader, assertScopes } from '../subscription.js';
import { getReachable } from './access.js';

/** Reads one registered receiver. */
export class GetWebhook {
  constructor(private readonly store: WebhookStore) {}

  /** Raises `access_denied`, `not_found`. Also the check before its deliveries are listed. */
  execute(caller: Caller, id: string): Promise<WebhookRecord> {
    return getReachable(this.store, caller, id);
  }

  /** Raises `access_denied` for a caller who lacks scopes of the receiver; the error does not reveal whether it exists. */
  async admit(caller: Caller, id: string): Promise<void> {
    const webhook = await this.store.find(caller.workspaceId, id);
    if (webhook !== undefined) assertScopes(webhook.scopes, caller.scopes);
  }

  /** The scopes that a listed webhook may have at most. Raises `access_denied` for a caller who can see no event. */
  listable(caller: Caller): readonly string[] {
    return assertReader(caller.scopes);
  }
}
