import type { Role } from '../access/session-identity.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeMemberBody } from './bodies.js';
import type { MemberRecord } from './record.js';

/** A bot, or a member to invite, with the field names of the database. */
export interface NewMember {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly kind: 'member' | 'bot';
  readonly role: Role;
  readonly email: string;
  /** Null: an available name that resembles `suggested`. */
  readonly username: string | null;
  readonly suggested: string;
  readonly display_name: string;
  /** Applies from the first sign-in. Has no effect for owners and admins. */
  readonly own_teams_only?: boolean;
  /** SHA-256 of the invitation token. Not for bots. */
  readonly token_hash?: Buffer;
}

/** Members of a workspace: people who sign in, and bots. */
export interface MemberStore {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<MemberRecord>>;
  /**
   * Raises `conflict` (`already_exists`) for an address of another member or a username that is taken, and `unavailable`
   * (`row_security`) for a restriction that the database can't enforce.
   */
  create(member: NewMember): Promise<MemberRecord>;
  /**
   * Raises `not_found`, and `conflict` (`invalid_state`) for an invited member or a change that would leave no owner. A
   * suspension revokes all credentials of the user.
   */
  change(workspaceId: string, id: string, patch: ChangeMemberBody): Promise<MemberRecord>;
  /** Erases the member and revokes all credentials of the user. Raises the errors of {@link change}. */
  remove(workspaceId: string, id: string): Promise<void>;
}
