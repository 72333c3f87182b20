import type { Caller } from '../access/caller.js';
import { invalidField, invalidRequest, notFound } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { TargetGuard } from '../common/outgoing.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { Addresses } from '../platforms/addresses.js';
import { type ChangeMeBody, type ChangeUserBody, type CreateUserBody, changeMeBody } from './bodies.js';
import type { ConsentCause, UserStore } from './ports.js';
import type { ConsentChangeRecord, UserRecord } from './record.js';

/** Use cases of users. */

export class ReadUsers {
  constructor(private readonly store: UserStore) {}

  /** Raises `not_found`. */
  async get(caller: Caller, id: string): Promise<UserRecord> {
    const found = await this.store.find(caller.workspaceId, id, viewerOf(caller));
    if (found === undefined) throw notFound('The user');
    return found;
  }

  me(caller: Caller): Promise<UserRecord> {
    return this.get(caller, caller.userId);
  }

  /** The changes of a user's consents, newest first. Raises `not_found`. */
  async consentChanges(caller: Caller, id: string, query: ListQuery): Promise<ListPage<ConsentChangeRecord>> {
    await this.get(caller, id);
    return this.store.listConsentChanges(caller.workspaceId, id, query);
  }

  list(caller: Caller, query: ListQuery): Promise<ListPage<UserRecord>> {
    return this.store.list(caller.workspaceId, query, viewerOf(caller));
  }
}

/** The user whose conversations limit what the caller sees. Undefined for the whole workspace. */
export function viewerOf(caller: Caller): string | undefined {
  return caller.onlyOwnConversations ? caller.userId : undefined;
}

export class ChangeUsers {
  constructor(
    private readonly store: UserStore,
    private readonly targets: TargetGuard,
    private readonly addresses: Addresses,
  ) {}

  /** Stores a contact. Raises `conflict` (`already_exists`) for a username or identity that is taken. */
  async create(caller: Caller, body: CreateUserBody, id: string, claim?: ClaimKey): Promise<UserRecord> {
    const addresses = this.addresses.of(caller.environment);
    const identities = identitiesOf(body.identities, addresses);
    addresses.checkPlatforms(body.channel_priority, 'channel_priority');
    await this.checkImage(body.profile_image);
    const owner = { id, workspace_id: caller.workspaceId, cause: causeOf(caller) };
    return this.store.create({ ...body, ...owner, identities, ...(claim === undefined ? {} : { claim }) });
  }

  /** Changes the caller's own profile. */
  async changeMe(caller: Caller, patch: ChangeMeBody): Promise<UserRecord> {
    await this.checkImage(patch.profile_image);
    return this.store.change(caller.workspaceId, caller.userId, patch);
  }

  /** Changes a contact, or the caller's own profile ({@link changeMe}). Raises `conflict` (`not_a_contact`) for other users. */
  async change(caller: Caller, id: string, patch: ChangeUserBody): Promise<UserRecord> {
    if (id === caller.userId) return this.changeMe(caller, ownFields(patch));
    if (patch.presence !== undefined) throw readOnly(['presence']);
    const addresses = this.addresses.of(caller.environment);
    const identities = patch.identities && identitiesOf(patch.identities, addresses);
    addresses.checkPlatforms(patch.channel_priority ?? [], 'channel_priority');
    await this.checkImage(patch.profile_image);
    return this.store.change(
      caller.workspaceId,
      id,
      { ...patch, ...(identities && { identities }) },
      'contact',
      causeOf(caller),
    );
  }

  /** Erases a contact. Raises `not_found`, `conflict` (`not_a_contact`). */
  delete(caller: Caller, id: string): Promise<void> {
    return this.store.delete(caller.workspaceId, id);
  }

  /** Merges the source into another contact and erases the source. Raises `not_found`, `conflict` (`not_a_contact`). */
  async merge(caller: Caller, id: string, sourceId: string, claim?: ClaimKey): Promise<UserRecord> {
    if (sourceId === id) {
      throw invalidField('source_id', 'invalid_value', 'Expected another contact than that of the path.');
    }
    return this.store.merge(caller.workspaceId, id, sourceId, claim, {
      source: 'merge',
      actor_id: caller.userId,
    });
  }

  private async checkImage(image: string | undefined): Promise<void> {
    if (image !== undefined) await this.targets.checkUrl(image, 'profile_image');
  }
}

/** The identities with their addresses in stored form. */
function identitiesOf(
  sent: CreateUserBody['identities'],
  addresses: Addresses,
): CreateUserBody['identities'] {
  const identities = addresses.ofAll(
    sent,
    ({ platform, external_id: address }) => ({ platform, address }),
    (identity, external_id) => ({ ...identity, external_id }),
    (index) => ({
      platform: `identities.${index}.platform`,
      address: `identities.${index}.external_id`,
    }),
  );
  const names = identities.map((one) => `${one.platform} ${one.external_id}`);
  if (new Set(names).size === names.length) return identities;
  throw invalidField('identities', 'duplicate', 'names an address twice');
}

/** The cause in the consent history for a change by this caller. */
function causeOf({ session, userId }: Caller): ConsentCause {
  return { source: session === undefined ? 'api' : 'member', actor_id: userId };
}

/** The fields that users may change in their own profile. Raises `invalid_request` (`read_only`) for other fields. */
function ownFields(patch: ChangeUserBody): ChangeMeBody {
  const foreign = Object.keys(patch).filter((field) => !(field in changeMeBody.shape));
  if (foreign.length === 0) return patch;
  throw readOnly(foreign);
}

function readOnly(fields: readonly string[]) {
  return invalidRequest(
    fields.map((field) => ({ field, code: 'read_only', message: 'cannot be changed by the user' })),
  );
}
