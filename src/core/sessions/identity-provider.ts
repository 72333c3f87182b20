import type { Role } from '../access/session-identity.js';
import type { Visitor } from './ports.js';

/** What is kept of a browser that leaves for the provider. */
export interface Departure {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the provider says of the person who came back. */
export interface ProvenPerson {
  readonly issuer: string;
  readonly clientId: string;
  /** The account at the provider. */
  readonly subject: string;
  /** Undefined unless the provider has verified it. */
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** Undefined when roles are not mapped, null when none of the person's values is. */
  readonly role: Role | null | undefined;
}

/** `unavailable`: no usable answer of the provider. `denied`: the person or the provider stopped it. `rejected`: not proven. */
export type ProviderFault = 'unavailable' | 'denied' | 'rejected';

/** The provider proved nothing. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** `reason`: a code for the log. */
  constructor(
    readonly fault: ProviderFault,
    readonly reason: string,
  ) {
    super(`The sign-in by the provider failed: ${fault}.`);
  }
}

/** A provider of OpenID Connect. */
export interface IdentityProvider {
  /** The text of the button. */
  readonly label: string;
  /** Where the browser goes, and what has to be known when it returns. Raises ProviderError. */
  leave(redirectUri: string): Promise<{ readonly url: string; readonly departure: Departure }>;
  /** `returned`: the redirect URI with the provider's parameters. Raises ProviderError. */
  arrive(returned: URL, departure: Departure): Promise<ProvenPerson>;
}

/** `unknown`: no member has the address. `other_account`: another account of the provider signs in as the member. */
export type ProviderOutcome = 'opened' | 'unknown' | 'suspended' | 'other_account';

/** Sessions that a provider's word opens. */
export interface ProviderSessionStore {
  /** Finds the member, follows what the provider says of them and starts the session, or nothing of it. */
  openByProvider(
    person: ProvenPerson,
    workspaceId: string | undefined,
    tokenHash: Buffer,
    visitor: Visitor,
  ): Promise<ProviderOutcome>;
}

/** A {@link ProvenPerson} and the session to be, in the names of the database. */
export interface ProviderSignInRow extends Omit<ProvenPerson, 'clientId'> {
  readonly client_id: string;
  /** Null: the oldest of several members. */
  readonly workspace_id: string | null;
  readonly token_hash: string;
  readonly replaced: string | null;
  readonly address: string;
  readonly agent: string;
  readonly lifetime: string;
  readonly most: number;
}
