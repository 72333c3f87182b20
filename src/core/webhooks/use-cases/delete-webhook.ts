import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import type { WebhookStore } from '../ports.js';
import { getReachable } from './access.js';

/** Deletes a webhook. Its pending deliveries are canceled. */
export class DeleteWebhook {
  constructor(private readonly store: WebhookStore) {}

  /** Raises `access_denied`, `not_found`. */
  async execute(caller: Caller, id: string): Promise<void> {
    await getReachable(this.store, caller, id);
    if (!(await this.store.delete(caller.workspaceId, id))) throw notFound('The webhook');
  }
}
