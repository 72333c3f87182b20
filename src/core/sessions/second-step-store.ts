import type { Account, SignInTry } from './ports.js';
import type { SecondStepRecord } from './second-step-record.js';

/** The codes that an authenticator app shows (TOTP, RFC 6238: six digits, a new one every 30 seconds). */
export interface OneTimeCodes {
  /** A new secret, in base32. */
  newSecret(): string;
  /** What an app reads from a QR code. */
  uriOf(secret: string, account: string): string;
  /** The time step whose code this is: now, the step before or the one after; undefined for any other code. */
  stepOf(secret: string, code: string): number | undefined;
}

/** A code as it is accepted once: by the time step of the app, or as the hash of a recovery code. */
export interface Proof {
  readonly step?: number;
  readonly recoveryHash?: Buffer;
}

/** A secret, opened, and the same as it is stored. */
export interface StoredSecret {
  readonly secret: string;
  readonly sealed: Buffer;
}

/** The second step of people who turned it on. Secrets are sealed, recovery codes are stored as hashes. */
export interface SecondStepStore {
  /** Undefined when the workspace has no such member. */
  describe(workspaceId: string, userId: string): Promise<SecondStepRecord | undefined>;
  /** Keeps a secret that is not confirmed yet. False: the account has another password by now, or the second step is on. */
  begin(workspaceId: string, account: Account, secret: string): Promise<boolean>;
  /** The secret that was begun, for some minutes. */
  pendingSecret(userId: string): Promise<StoredSecret | undefined>;
  /** The secret of a second step that is on. */
  secret(userId: string): Promise<StoredSecret | undefined>;
  /** False: another secret was begun meanwhile, or the second step is on. */
  enable(userId: string, sealed: Buffer, step: number, codes: readonly Buffer[]): Promise<boolean>;
  /** Whether the code is accepted, which each one is once. */
  accept(userId: string, proof: Proof): Promise<boolean>;
  /** Both accept the code with the change. False: they did not, or the account has another password by now. */
  renewCodes(account: Account, proof: Proof, codes: readonly Buffer[]): Promise<boolean>;
  disable(account: Account, proof: Proof): Promise<boolean>;
  /** Turns it off for a member and ends the member's sessions. Raises `not_found`. */
  reset(workspaceId: string, userId: string): Promise<void>;
}

/** Counts wrong codes of each user over all processes. */
export interface CodeTries {
  /** Takes a try, which counts as failed unless it is given back. */
  takeCode(userId: string): Promise<SignInTry>;
}
