import type { Role } from '../access/session-identity.js';
import type { Visitor } from './ports.js';

/** The state of a sign-in while the browser is at the provider. */
export interface Departure {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person that the provider has authenticated. */
export interface ProvenPerson {
  readonly issuer: string;
  readonly clientId: string;
  /** The account at the provider. */
  readonly subject: string;
  /** Undefined unless the provider has verified it. */
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** Undefined if roles are not mapped. Null if none of the person's values maps to a role. */
  readonly role: Role | null | undefined;
}

/** `unavailable`: no usable response of the provider. `denied`: the person or the provider stopped it. `rejected`: not proven. */
export type ProviderFault = 'unavailable' | 'denied' | 'rejected';

/** The provider did not authenticate a person. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** `reason` is a code for the log. */
  constructor(
    readonly fault: ProviderFault,
    readonly reason: string,
  ) {
    super(`The sign-in by the provider failed: ${fault}.`);
  }
}

/** An OpenID Connect provider. */
export interface IdentityProvider {
  /** The label of the sign-in button. */
  readonly label: string;
  /** The next URL of the browser, and the state for its return. Raises ProviderError. */
  leave(redirectUri: string): Promise<{ readonly url: string; readonly departure: Departure }>;
  /** `returned`: the redirect URI with the provider's parameters. Raises ProviderError. */
  arrive(returned: URL, departure: Departure): Promise<ProvenPerson>;
}

/** `unknown`: no member has the address. `other_account`: the member is linked to another account of the provider. */
export type ProviderOutcome = 'opened' | 'unknown' | 'suspended' | 'other_account';

/** Sessions that start with a sign-in at a provider. */
export interface ProviderSessionStore {
  /** Finds the member, applies the data of the provider and starts the session, in one transaction. */
  openByProvider(
    person: ProvenPerson,
    workspaceId: string | undefined,
    tokenHash: Buffer,
    visitor: Visitor,
  ): Promise<ProviderOutcome>;
}

/** A {@link ProvenPerson} and the new session, with the field names of the database. */
export interface ProviderSignInRow extends Omit<ProvenPerson, 'clientId'> {
  readonly client_id: string;
  /** Null: the oldest if several members match. */
  readonly workspace_id: string | null;
  readonly token_hash: string;
  readonly replaced: string | null;
  readonly address: string;
  readonly agent: string;
  readonly lifetime: string;
  readonly max_sessions: number;
}
