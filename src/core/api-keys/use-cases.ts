import { generateApiKey } from '../access/api-key-format.js';
import type { Caller } from '../access/caller.js';
import { invalidField, notFound } from '../common/errors.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { WorkspaceStore } from '../workspaces/ports.js';
import type { Plan } from '../workspaces/record.js';
import type { ChangeApiKeyBody, CreateApiKeyBody } from './bodies.js';
import type { ApiKeyStore } from './ports.js';
import type { ApiKeyShown, KeyUsage } from './record.js';

const MAX_KEYS = 100;

/** Maximum `rate_limit` of a key by plan, in requests per hour. Undefined allows any rate, including no limit. */
const MAX_PER_HOUR: Readonly<Record<Plan, number | undefined>> = {
  default: 100,
  team: 1_000,
  business: 10_000,
  unlimited: undefined,
};

/** Manages the keys of a workspace. Used by owners and admins. */
export class ManageApiKeys {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly workspaces: WorkspaceStore,
  ) {}

  list(caller: Caller, query: ListQuery): Promise<ListPage<ApiKeyShown>> {
    return this.store.list(caller.workspaceId, query);
  }

  async usage(caller: Caller): Promise<{ data: readonly KeyUsage[] }> {
    return { data: await this.store.usage(caller.workspaceId) };
  }

  /**
   * Creates a key. The response is the only one that contains the full key. Raises `invalid_request` for a rate above
   * the limit of the plan, `not_found` and `conflict` (`invalid_state`) about the user of the key, and `conflict`
   * (`limit_reached`).
   */
  async create(
    caller: Pick<Caller, 'workspaceId' | 'userId'>,
    body: CreateApiKeyBody,
    id: string,
  ): Promise<ApiKeyShown> {
    await this.checkRate(caller.workspaceId, body.rate_limit);
    const { key, hash, hint } = generateApiKey(body.environment);
    const { user_id: userId = caller.userId, expires_at: expiresAt = null, ...fields } = body;
    const owner = { id, workspace_id: caller.workspaceId, user_id: userId };
    const stored = await this.store.create(
      { ...fields, ...owner, expires_at: expiresAt, hash, hint },
      MAX_KEYS,
    );
    return { ...stored, key };
  }

  /** Raises `not_found`, and `conflict` (`invalid_state`) for a revoked key. */
  change(caller: Caller, id: string, patch: ChangeApiKeyBody): Promise<ApiKeyShown> {
    return this.store.change(caller.workspaceId, id, patch);
  }

  /** Raises `not_found`, also for a key that is already revoked. Its webhooks are disabled, unless `keepWebhooks` is set. */
  async revoke(caller: Caller, id: string, keepWebhooks: boolean): Promise<void> {
    if (!(await this.store.revoke(caller.workspaceId, id, keepWebhooks))) throw notFound('The API key');
  }

  private async checkRate(workspaceId: string, wanted: number): Promise<void> {
    const plan = (await this.workspaces.find(workspaceId))?.plan ?? 'default';
    const maxPerHour = MAX_PER_HOUR[plan];
    if (maxPerHour === undefined) return;
    if (wanted === 0)
      throw invalidField('rate_limit', 'too_small', `Expected at least 1 with the plan ${plan}.`);
    if (wanted > maxPerHour)
      throw invalidField('rate_limit', 'too_large', `Expected at most ${maxPerHour} with the plan ${plan}.`);
  }
}
