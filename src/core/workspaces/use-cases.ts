import type { Caller } from '../access/caller.js';
import { requireOperator } from '../access/roles.js';
import { notFound } from '../common/errors.js';
import type { Passwords } from '../common/passwords.js';
import type { ChangeWorkspaceBody, CreateWorkspaceBody } from './bodies.js';
import { usernameFrom } from './bootstrap.js';
import type { WorkspaceStore } from './ports.js';
import type { WorkspaceRecord } from './record.js';

/** Manages workspaces, for people at the dashboard. */
export class ManageWorkspaces {
  constructor(
    private readonly store: WorkspaceStore,
    private readonly passwords: Passwords,
  ) {}

  /** The caller's own workspace. */
  async get(caller: Caller): Promise<WorkspaceRecord> {
    const found = await this.store.find(caller.workspaceId);
    if (found === undefined) throw notFound('The workspace');
    return found;
  }

  /** Changes the caller's own workspace. Raises `access_denied` for a plan, unless the caller is the operator. */
  change(caller: Caller, patch: ChangeWorkspaceBody): Promise<WorkspaceRecord> {
    if (patch.plan !== undefined) requireOperator(caller);
    return this.store.change(caller.workspaceId, patch);
  }

  /** Creates a workspace with its test workspace and its owner. */
  async create(body: CreateWorkspaceBody): Promise<WorkspaceRecord> {
    const [local = ''] = body.owner_email.split('@');
    const id = await this.store.create(body.name, {
      email: body.owner_email,
      passwordHash: await this.passwords.hash(body.owner_password),
      username: usernameFrom(local),
      displayName: local,
      operator: false,
    });
    const made = await this.store.find(id);
    if (made === undefined) throw new Error('The created workspace was not found.');
    return made;
  }
}
