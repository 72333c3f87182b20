import type { Caller } from '../access/caller.js';
import { generateToken } from '../access/session-token.js';
import { notFound } from '../common/errors.js';
import { newId } from '../common/new-id.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { OAuthGrants } from '../oauth/ports.js';
import type { AppGrantRecord } from '../oauth/record.js';
import type { ChangeOAuthAppBody, CreateOAuthAppBody } from './bodies.js';
import type { OAuthAppStore } from './ports.js';
import type { OAuthAppRecord } from './record.js';

const MAX_APPS = 50;

/** Manages the OAuth apps of a workspace, for owners and admins. */
export class ManageOAuthApps {
  constructor(
    private readonly store: OAuthAppStore,
    private readonly approvals: OAuthGrants,
  ) {}

  list(caller: Caller, query: ListQuery): Promise<ListPage<OAuthAppRecord>> {
    return this.store.list(caller.workspaceId, query);
  }

  /** Registers an app. The secret of a confidential app is shown only in this response. Raises `conflict` (`limit_reached`). */
  async create(caller: Caller, body: CreateOAuthAppBody, id: string): Promise<OAuthAppRecord> {
    const secret = body.type === 'confidential' ? generateToken('tl_cs_') : undefined;
    const owner = { id, workspace_id: caller.workspaceId, created_by: caller.userId };
    const app = await this.store.create({ ...body, ...owner, client_id: newId() }, secret, MAX_APPS);
    return { ...app, client_secret: secret?.token ?? null };
  }

  /** Raises `not_found`. */
  change(caller: Caller, id: string, patch: ChangeOAuthAppBody): Promise<OAuthAppRecord> {
    return this.store.change(caller.workspaceId, id, patch);
  }

  /**
   * Replaces the secret of the app. The new secret is shown only in this response. The old one is no longer valid. Raises the
   * errors of the store.
   */
  async rotateSecret(caller: Caller, id: string): Promise<OAuthAppRecord> {
    const secret = generateToken('tl_cs_');
    const app = await this.store.rotateSecret(caller.workspaceId, id, secret);
    return { ...app, client_secret: secret.token };
  }

  /** The grants that users gave to the app. Raises `not_found`. */
  grants(caller: Caller, id: string, query: ListQuery): Promise<ListPage<AppGrantRecord>> {
    return this.approvals.listOfApp(caller.workspaceId, id, query);
  }

  /** Ends a member's grant with all its tokens. Raises `not_found`. */
  revokeGrant(caller: Caller, grantId: string): Promise<void> {
    return this.approvals.revokeIn(caller.workspaceId, grantId);
  }

  /** Raises `not_found`. */
  async delete(caller: Caller, id: string): Promise<void> {
    if (!(await this.store.delete(caller.workspaceId, id))) throw notFound('The OAuth app');
  }
}
