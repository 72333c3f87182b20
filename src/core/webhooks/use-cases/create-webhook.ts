import type { Caller } from '../../access/caller.js';
import { unauthorized } from '../../access/failed-authentications.js';
import { conflict } from '../../common/errors.js';
import { newId } from '../../common/new-id.js';
import type { TargetGuard } from '../../common/outgoing.js';
import type { ApiVersion } from '../../versions/api-version.js';
import type { CreateWebhookBody } from '../bodies.js';
import type { WebhookStore } from '../ports.js';
import type { WebhookRecord } from '../record.js';
import { generateSecret } from '../secret.js';
import { validateEvents } from '../subscription.js';

const maxWebhooks = 50;

export interface CreateOptions {
  /** Effective version of the request. It determines the form of the payloads. */
  readonly apiVersion: ApiVersion;
  /** The id of the webhook. A repeated id has no further effect. Default: a new id. */
  readonly id?: string;
}

/** Registers a receiver. */
export class CreateWebhook {
  constructor(
    private readonly store: WebhookStore,
    private readonly guard: TargetGuard,
  ) {}

  /**
   * Resolves with the record and its secret. Raises `access_denied`, `invalid_request` (unknown event, forbidden
   * target), `conflict` with `limit_reached`, `unauthorized` if the key was revoked or expired meanwhile.
   */
  async execute(caller: Caller, input: CreateWebhookBody, options: CreateOptions): Promise<WebhookRecord> {
    const subscription = validateEvents(input.events, caller.scopes);
    await this.guard.checkUrl(input.url, 'url');
    const { rate_limit: rateLimit, url, status, headers, description, metadata } = input;
    const { id = newId(), apiVersion } = options;
    const { kind, id: credentialId } = caller.credential;
    const createdByKey = kind === 'api_key' ? credentialId : null;
    const owner = { id, workspaceId: caller.workspaceId, createdBy: caller.userId, createdByKey };
    const created = await this.store.create(
      {
        ...owner,
        ...subscription,
        url,
        secret: input.secret ?? generateSecret(),
        apiVersion,
        status,
        headers,
        description,
        rateLimit,
        metadata,
      },
      maxWebhooks,
    );
    if (created === 'key_ended') throw unauthorized();
    if (created !== 'limit_reached') return created;
    throw conflict('limit_reached', 'The workspace has as many webhooks as it may have.', {
      limit: maxWebhooks,
    });
  }
}
