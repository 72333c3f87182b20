import type { SessionIdentity } from '../access/session-identity.js';
import type { UserRecord } from '../users/record.js';
import type { WorkspaceRecord } from '../workspaces/record.js';
import type { SignedInBrowserRecord } from './record.js';

/** Sessions of people at the dashboard. */
export interface SessionReader {
  /** The session that the value of a session cookie belongs to; `undefined` when there is none, or it has ended. */
  find(token: string): Promise<SessionIdentity | undefined>;
}

/** An account for signing in with an e-mail address: an active member of a workspace. */
export interface Account {
  readonly userId: string;
  readonly passwordHash: string;
}

/** An account with its address, and whether its sign-in needs a code. */
export interface NamedAccount extends Account {
  readonly email: string;
  readonly hasSecondStep: boolean;
}

/** What a signed-in person is shown of where they are. */
export interface SessionSurroundings {
  readonly user: UserRecord;
  readonly workspace: WorkspaceRecord;
}

/** The data of a browser at the beginning of a session. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  /** Token of the session it had before, which ends with the new one. */
  readonly token: string | undefined;
}

/** What was wrong: the password, or the code after it. */
export type SignInFailure = 'sign_in.failed' | 'second_step.failed';

/** Sessions as they begin and end. */
export interface SessionStore {
  /** The accounts of an address, oldest first, a few at most; those of one workspace when it is named. */
  accounts(email: string, workspaceId: string | undefined): Promise<readonly NamedAccount[]>;
  /**
   * Starts a session of the account in place of the one that the visitor had. Nothing is started when its password has
   * changed meanwhile.
   */
  open(account: Account, tokenHash: Buffer, visitor: Visitor): Promise<void>;
  end(sessionId: string): Promise<void>;
  /** Notes in the audit log failed sign-ins as these people; once an hour of each. */
  noteFailure(userIds: readonly string[], failure: SignInFailure, address: string): Promise<void>;
  surroundings(workspaceId: string, userId: string): Promise<SessionSurroundings>;
}

/** The sessions of one person, and the password that opens them. */
export interface OwnSessionStore {
  /** Newest use first; a person has up to 20. */
  list(workspaceId: string, userId: string, currentId: string): Promise<readonly SignedInBrowserRecord[]>;
  /** Ends one. False: the person has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  endOthers(userId: string, currentId: string): Promise<void>;
  /** The account of a user with its address; undefined for one who can't sign in by password. */
  account(userId: string): Promise<NamedAccount | undefined>;
  /** Sets the password and ends the other sessions. False: the account has another password by now. */
  changePassword(account: Account, passwordHash: string, currentId: string): Promise<boolean>;
}

/** One of the tries that an account has at an address. */
export type SignInTry =
  | { readonly kind: 'taken'; giveBack(): Promise<void> }
  /** All tries are used up until this Unix time in seconds. */
  | { readonly kind: 'refused'; readonly limit: number; readonly freeAt: number };

/** Counts failed sign-ins over all processes. */
export interface SignInTries {
  /** Takes a try, which counts as failed unless it is given back. Parallel ones can't be more than allowed. */
  take(email: string, address: string): Promise<SignInTry>;
}

/** What the first user has to show; without a value they need nothing. */
export interface SetupToken {
  readonly value: string | undefined;
}
