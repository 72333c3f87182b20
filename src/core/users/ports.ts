import type { ClaimKey } from '../common/idempotency.js';
import type { FilterClause, ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeMeBody, ChangeUserBody, CreateUserBody } from './bodies.js';
import type { ConsentChangeRecord, UserRecord } from './record.js';

/** A contact to store, with the field names of the database. */
export interface NewContact extends CreateUserBody {
  readonly id: string;
  readonly workspace_id: string;
  readonly claim?: ClaimKey;
  readonly cause?: ConsentCause;
}

/** The cause of a consent change, and the user whose credential changed it. */
export interface ConsentCause {
  readonly source: 'member' | 'api' | 'import' | 'merge';
  readonly actor_id: string;
}

/** Presence of members. A presence that a user has chosen does not change. */
export interface Presence {
  /** Records heartbeats of these users. Offline users come online. */
  beat(userIds: readonly string[]): Promise<void>;
  /** A user without a heartbeat for a minute goes offline. */
  expire(): Promise<void>;
}

/** People of a workspace. Deleted ones are not visible. */
export interface UserStore {
  /** With `viewerId`, only that user and the participants of that user's conversations. */
  find(workspaceId: string, id: string, viewerId?: string): Promise<UserRecord | undefined>;
  list(workspaceId: string, query: ListQuery, viewerId?: string): Promise<ListPage<UserRecord>>;
  /** Raises `conflict` (`already_exists`) for a username or identity that is taken. */
  create(contact: NewContact): Promise<UserRecord>;
  /**
   * Changes the named fields, with their events. Raises `not_found`, `conflict`: `already_exists`, `invalid_state`, and
   * `not_a_contact` if `only` is set and the user is no contact.
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
   * Moves all data of the source to the target, and erases the source. Raises `not_found` (also for `source_id`), `conflict`:
   * `not_a_contact`; `limit_reached` if the target would have too many identities.
   */
  merge(
    workspaceId: string,
    id: string,
    sourceId: string,
    claim?: ClaimKey,
    cause?: ConsentCause,
  ): Promise<UserRecord>;
  /** The changes of a user's consents. */
  listConsentChanges(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<ConsentChangeRecord>>;
  /** The number of contacts that match each filter. */
  countContacts(workspaceId: string, filters: readonly (readonly FilterClause[])[]): Promise<number[]>;
}
