import type { Role } from '../access/session-identity.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeMemberBody } from './bodies.js';
import type { MemberRecord } from './record.js';

/** A member to be invited, or a bot, in the names of the database. */
export interface NewMember {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly kind: 'member' | 'bot';
  readonly role: Role;
  readonly email: string;
  /** Null: one like `suggested` that is free. */
  readonly username: string | null;
  readonly suggested: string;
  readonly display_name: string;
  /** From the first sign-in on. Without an effect for owners and admins. */
  readonly own_teams_only?: boolean;
  /** SHA-256 of the invitation's token; not for bots. */
  readonly token_hash?: Buffer;
}

/** Who works in a workspace: people who sign in, and bots. */
export interface MemberStore {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<MemberRecord>>;
  /**
   * Raises `conflict`: `already_exists` for an address that is a member's, or a username that is taken; and `unavailable`
   * (`row_security`) for a restriction that the database cannot hold.
   */
  create(member: NewMember): Promise<MemberRecord>;
  /**
   * Raises `not_found` and `conflict` (`invalid_state`): for an invited one, and for what would leave no owner. Suspending
   * ends everything that acts for the user.
   */
  change(workspaceId: string, id: string, patch: ChangeMemberBody): Promise<MemberRecord>;
  /** Erases the member and ends everything that acts for them. Raises as {@link change}. */
  remove(workspaceId: string, id: string): Promise<void>;
}
