import type { SessionIdentity } from '../access/session-identity.js';
import type { UserRecord } from '../users/record.js';
import type { WorkspaceRecord } from '../workspaces/record.js';
import type { SignedInBrowserRecord } from './record.js';

/** Lookup of dashboard sessions. */
export interface SessionReader {
  /** The session of a session cookie. `undefined` if there is none or it has ended. */
  find(token: string): Promise<SessionIdentity | undefined>;
}

/** An account for sign-in with an e-mail address: an active member of a workspace. */
export interface Account {
  readonly userId: string;
  readonly passwordHash: string;
}

/** An account with its address, and whether its sign-in needs a code. */
export interface NamedAccount extends Account {
  readonly email: string;
  readonly hasSecondStep: boolean;
}

/** The data that a session shows to its person. */
export interface SessionSurroundings {
  readonly user: UserRecord;
  readonly workspace: WorkspaceRecord;
}

/** Data of the browser at the start of a session. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  /** Token of the browser's former session, which ends when the new one starts. */
  readonly token: string | undefined;
}

/** The part that was wrong: the password, or the code after it. */
export type SignInFailure = 'sign_in.failed' | 'second_step.failed';

/** Starts and ends sessions. */
export interface SessionStore {
  /** The accounts of an address, oldest first, up to a small limit. With a workspace, only the accounts of that workspace. */
  accounts(email: string, workspaceId: string | undefined): Promise<readonly NamedAccount[]>;
  /**
   * Starts a session of the account and ends the visitor's former session. Starts none if the password of the account has
   * changed.
   */
  open(account: Account, tokenHash: Buffer, visitor: Visitor): Promise<void>;
  end(sessionId: string): Promise<void>;
  /** Adds failed sign-ins of these people to the audit log, at most once per hour for each person. */
  noteFailure(userIds: readonly string[], failure: SignInFailure, address: string): Promise<void>;
  surroundings(workspaceId: string, userId: string): Promise<SessionSurroundings>;
}

/** The sessions and the password of one person. */
export interface OwnSessionStore {
  /** Most recently used first, at most 20. */
  list(workspaceId: string, userId: string, currentId: string): Promise<readonly SignedInBrowserRecord[]>;
  /** Ends one session. False if the person has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  endOthers(userId: string, currentId: string): Promise<void>;
  /** The account of a user with its address. Undefined if the user can't sign in with a password. */
  account(userId: string): Promise<NamedAccount | undefined>;
  /** Sets the password and ends the other sessions. False if the password has changed since it was compared. */
  changePassword(account: Account, passwordHash: string, currentId: string): Promise<boolean>;
}

/** One of the attempts that an account has at an address. */
export type SignInTry =
  | { readonly kind: 'taken'; release(): Promise<void> }
  /** All attempts are used until this time, in Unix seconds. */
  | { readonly kind: 'refused'; readonly limit: number; readonly freeAt: number };

/** Counts failed sign-ins across processes. */
export interface SignInTries {
  /** Takes an attempt, which counts as failed unless it is released. Concurrent calls can't exceed the limit. */
  take(email: string, address: string): Promise<SignInTry>;
}

/** The token that the first user must enter. Without a value, none is required. */
export interface SetupToken {
  readonly value: string | undefined;
}
