import type { Account, SignInTry } from './ports.js';
import type { SecondStepRecord } from './second-step-record.js';

/** The codes that an authenticator app shows (TOTP, RFC 6238: six digits, a new one every 30 seconds). */
export interface OneTimeCodes {
  /** A new secret, in base32. */
  newSecret(): string;
  /** The content of the QR code for an app. */
  uriOf(secret: string, account: string): string;
  /** The time step of a code: the current, previous or next one. Undefined for any other code. */
  stepOf(secret: string, code: string): number | undefined;
}

/** Proof that a code is correct: the time step of the app, or the hash of a recovery code. Each is accepted once. */
export interface Proof {
  readonly step?: number;
  readonly recoveryHash?: Buffer;
}

/** A secret, decrypted and in its stored form. */
export interface StoredSecret {
  readonly secret: string;
  readonly sealed: Buffer;
}

/** The second step of people who turned it on. Secrets are encrypted, and recovery codes are stored as hashes. */
export interface SecondStepStore {
  /** Undefined when the workspace has no such member. */
  describe(workspaceId: string, userId: string): Promise<SecondStepRecord | undefined>;
  /** Stores a secret that is not confirmed yet. False if the password of the account has changed, or the second step is on. */
  begin(workspaceId: string, account: Account, secret: string): Promise<boolean>;
  /** The secret that is not confirmed yet. It expires after some minutes. */
  pendingSecret(userId: string): Promise<StoredSecret | undefined>;
  /** The secret of a second step that is on. */
  secret(userId: string): Promise<StoredSecret | undefined>;
  /** False if another secret was stored, or the second step is on. */
  enable(userId: string, sealed: Buffer, step: number, codes: readonly Buffer[]): Promise<boolean>;
  /** Whether the code is accepted. Each code is accepted once. */
  accept(userId: string, proof: Proof): Promise<boolean>;
  /**
   * This and `disable` accept the code with the change. False if the code is refused or the password of the account has changed.
   */
  renewCodes(account: Account, proof: Proof, codes: readonly Buffer[]): Promise<boolean>;
  disable(account: Account, proof: Proof): Promise<boolean>;
  /** Turns the second step off for a member and ends the member's sessions. Raises `not_found`. */
  reset(workspaceId: string, userId: string): Promise<void>;
}

/** Counts wrong codes per user, across processes. */
export interface CodeTries {
  /** Takes an attempt, which counts as failed unless it is released. */
  takeCode(userId: string): Promise<SignInTry>;
}
