import type { Caller } from '../../access/caller.js';
import { conflict, notFound } from '../../common/errors.js';
import type { TargetGuard } from '../../common/outgoing.js';
import type { UpdateWebhookBody } from '../bodies.js';
import type { WebhookChange, WebhookStore } from '../ports.js';
import type { WebhookRecord } from '../record.js';
import { webhookStates } from '../states.js';
import { validateEvents } from '../subscription.js';
import { assertReachable } from './access.js';

/** Changes a registered receiver. */
export class UpdateWebhook {
  constructor(
    private readonly store: WebhookStore,
    private readonly guard: TargetGuard,
  ) {}

  /**
   * The caller needs the scopes of the old and of the new subscription. Raises `access_denied`, `not_found`, `invalid_request`
   * (unknown event, forbidden target), `conflict` with `invalid_state`.
   */
  async execute(caller: Caller, id: string, patch: UpdateWebhookBody): Promise<WebhookRecord> {
    const current = await this.store.find(caller.workspaceId, id);
    // A missing webhook is reported below, after the problems of the request.
    if (current !== undefined) assertReachable(current, caller);
    const { url, events, rate_limit: rateLimit, ...same } = patch;
    const subscription = events && validateEvents(events, caller.scopes);
    if (url !== undefined) await this.guard.checkUrl(url, 'url');
    const change: WebhookChange = {
      ...same,
      ...(url !== undefined && { url }),
      ...(subscription && { subscription }),
      ...(rateLimit !== undefined && { rateLimit }),
    };
    const changed = await this.store.change(caller.workspaceId, id, (found) => {
      assertMove(assertReachable(found, caller).status, patch.status);
      return change;
    });
    if (changed === undefined) throw notFound('The webhook');
    return changed;
  }
}

/** An automatically disabled webhook can only be enabled. */
function assertMove(from: WebhookRecord['status'], to: UpdateWebhookBody['status']): void {
  if (to === undefined || webhookStates.states[from][to] !== undefined) return;
  throw conflict('invalid_state', 'The webhook is disabled already.', { current: from });
}
