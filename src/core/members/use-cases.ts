import type { Caller } from '../access/caller.js';
import { generateToken } from '../access/session-token.js';
import { conflict, notFound } from '../common/errors.js';
import type { Log } from '../common/log.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { SecondStepRecord } from '../sessions/second-step-record.js';
import type { SecondStepStore } from '../sessions/second-step-store.js';
import { usernameFrom } from '../workspaces/bootstrap.js';
import type { ChangeMemberBody, CreateMemberBody } from './bodies.js';
import type { MemberStore } from './ports.js';
import type { InvitationRecord, MemberRecord } from './record.js';

/** Manages the members of a workspace, for owners and admins. */
export class ManageMembers {
  constructor(
    private readonly store: MemberStore,
    private readonly secondSteps: SecondStepStore,
    private readonly publicUrl: () => string,
    private readonly log: Log,
  ) {}

  list(caller: Caller, query: ListQuery): Promise<ListPage<MemberRecord>> {
    return this.store.list(caller.workspaceId, query);
  }

  /**
   * Invites a person, or creates a bot, which is active at once. The link of the invitation is shown only in this response.
   * Raises `conflict` (`already_exists`), and `unavailable` (`row_security`) as {@link change}.
   */
  async create(caller: Caller, body: CreateMemberBody, id: string): Promise<InvitationRecord> {
    const { kind, role, email = '' } = body;
    const [local = ''] = email.split('@');
    const invitation = kind === 'member' ? generateToken('tl_in_') : undefined;
    const member = await this.store.create({
      id,
      workspace_id: caller.workspaceId,
      created_by: caller.userId,
      kind,
      role,
      email,
      username: body.username ?? null,
      suggested: kind === 'bot' ? 'bot' : usernameFrom(local),
      display_name: body.display_name ?? (kind === 'bot' ? 'Bot' : local),
      ...(body.own_teams_only === true && { own_teams_only: true }),
      ...(invitation && { token_hash: invitation.hash }),
    });
    const url = invitation && `${this.publicUrl()}/dashboard/invitations/${invitation.token}`;
    return { member, invite_url: url ?? null };
  }

  /**
   * The new role and restriction limit all keys, tokens and sessions of the member at once. Raises `not_found`, `conflict`
   * (`invalid_state`), and `unavailable` (`row_security`) for a restriction that the database can't enforce.
   */
  async change(caller: Caller, id: string, patch: ChangeMemberBody): Promise<MemberRecord> {
    const member = await this.store.change(caller.workspaceId, id, patch);
    if (patch.role !== undefined) this.log.info({ user_id: id, role: patch.role }, 'member.role_set');
    const { own_teams_only } = patch;
    if (own_teams_only !== undefined)
      this.log.info({ user_id: id, own_teams_only }, 'member.restriction_set');
    return member;
  }

  /** Raises `not_found`, `conflict` (`invalid_state`). */
  remove(caller: Caller, id: string): Promise<void> {
    return this.store.remove(caller.workspaceId, id);
  }

  /** Raises `not_found`. */
  async secondStepOf(caller: Caller, id: string): Promise<SecondStepRecord> {
    const found = await this.secondSteps.describe(caller.workspaceId, id);
    if (found === undefined) throw notFound('The member');
    return found;
  }

  /**
   * For a member who lost the app and the recovery codes. Raises `not_found`, and `conflict` (`invalid_state`) for the caller's
   * own second step, which can be turned off only with password and code.
   */
  async resetSecondStep(caller: Caller, id: string): Promise<void> {
    if (id === caller.userId)
      throw conflict('invalid_state', 'Turn your own two-step sign-in off with password and code.');
    await this.secondSteps.reset(caller.workspaceId, id);
    this.log.info({ user_id: id }, 'member.second_step_reset');
  }
}
