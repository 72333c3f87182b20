import type { ClaimKey } from '../common/idempotency.js';
import type { FilterClause, ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeMeBody, ChangeUserBody, CreateUserBody } from './bodies.js';
import type { ConsentChangeRecord, UserRecord } from './record.js';

/** A contact to be stored, in the names of the database. */
export interface NewContact extends CreateUserBody {
  readonly id: string;
  readonly workspace_id: string;
  readonly claim?: ClaimKey;
  readonly cause?: ConsentCause;
}

/** How a consent came to change, and whose credential changed it. */
export interface ConsentCause {
  readonly source: 'member' | 'api' | 'import' | 'merge';
  readonly actor_id: string;
}

/** Whether members are there. A user who chose a presence keeps it. */
export interface Presence {
  /** Signs of life of these users: who is offline comes online. */
  beat(userIds: readonly string[]): Promise<void>;
  /** A user without a heartbeat for a minute goes offline. */
  expire(): Promise<void>;
}

/** People of a workspace. Deleted ones don't exist. */
export interface UserStore {
  /** With `viewerId` only that user and those who take part in a conversation with them. */
  find(workspaceId: string, id: string, viewerId?: string): Promise<UserRecord | undefined>;
  list(workspaceId: string, query: ListQuery, viewerId?: string): Promise<ListPage<UserRecord>>;
  /** Raises `conflict` (`already_exists`) for a username or identity that is taken. */
  create(contact: NewContact): Promise<UserRecord>;
  /**
   * Changes the fields named, with their events. Raises `not_found`, `conflict`: `already_exists`, `invalid_state`, and
   * `not_a_contact` when `only` is not what the user is.
   */
  change(
    workspaceId: string,
    id: string,
    patch: ChangeUserBody | ChangeMeBody,
    only?: 'contact',
    cause?: ConsentCause,
  ): Promise<UserRecord>;
  /** Erases a contact. Raises `not_found`, `conflict` (`not_a_contact`). */
  delete(workspaceId: string, id: string): Promise<void>;
  /**
   * What belongs to the source becomes the target's, and the source is erased. Raises `not_found` (also for `source_id`),
   * `conflict`: `not_a_contact`; `limit_reached` for more identities than one user can have.
   */
  merge(
    workspaceId: string,
    id: string,
    sourceId: string,
    claim?: ClaimKey,
    cause?: ConsentCause,
  ): Promise<UserRecord>;
  /** The changes of a user's consent. */
  listConsentChanges(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<ConsentChangeRecord>>;
  /** How many contacts match each of these filters. */
  countContacts(workspaceId: string, filters: readonly (readonly FilterClause[])[]): Promise<number[]>;
}
