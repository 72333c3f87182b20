import { timingSafeEqual } from 'node:crypto';
import { hashCredential } from '../access/api-key-format.js';
import type { Caller } from '../access/caller.js';
import { unauthorized } from '../access/failed-authentications.js';
import type { SessionIdentity } from '../access/session-identity.js';
import { generateToken } from '../access/session-token.js';
import { type AppError, conflict, invalidField, notFound } from '../common/errors.js';
import type { Passwords } from '../common/passwords.js';
import { usernameFrom } from '../workspaces/bootstrap.js';
import type { WorkspaceStore } from '../workspaces/ports.js';
import type { AcceptInvitationBody, SetupBody, SignInBody } from './bodies.js';
import type { CheckCode } from './check-code.js';
import type { InvitationStore } from './invitations.js';
import type {
  Account,
  NamedAccount,
  OwnSessionStore,
  SessionReader,
  SessionStore,
  SetupToken,
  SignInFailure,
  SignInTries,
  Visitor,
} from './ports.js';
import type { SessionRecord } from './record.js';
import type { SecondStepBody, SecondStepWantedRecord } from './second-step-record.js';
import type { SecondStepStore } from './second-step-store.js';
import { isOf, type SignInTokens } from './sign-in-token.js';
import { tryOnce } from './try-once.js';

/** A session that has just begun: its token is shown this once. */
export interface OpenedSession {
  readonly token: string;
  readonly record: SessionRecord;
}

export class OpenSessions {
  constructor(
    private readonly store: SessionStore,
    private readonly reader: SessionReader,
  ) {}

  /** Starts a session with a token of its own, whatever token the browser had. */
  async open(account: Account, visitor: Visitor): Promise<OpenedSession> {
    const { token, hash } = generateToken('tl_ss_');
    await this.store.open(account, hash, visitor);
    const session = await this.reader.find(token);
    // Suspended, removed, or given another password since it was compared.
    if (session === undefined) throw unauthorized();
    return { token, record: await this.describe(session) };
  }

  async describe(session: SessionIdentity): Promise<SessionRecord> {
    const { workspaceId, userId, role, operator, view, csrfToken } = session;
    const surroundings = await this.store.surroundings(workspaceId, userId);
    const own = view === null ? {} : { view };
    return { ...surroundings, role, operator, csrf_token: csrfToken, ...own };
  }

  async get(caller: Caller): Promise<SessionRecord> {
    if (caller.session === undefined) throw unauthorized();
    return this.describe(caller.session);
  }

  end(caller: Caller): Promise<void> {
    return this.store.end(caller.credential.id);
  }

  /** Notes a refused sign-in as these people. */
  refuse(people: readonly Account[], failure: SignInFailure, { address }: Visitor): Promise<void> {
    const ids = people.map(({ userId }) => userId);
    return this.store.noteFailure(ids, failure, address);
  }
}

export class SignIn {
  constructor(
    private readonly store: SessionStore,
    private readonly tries: SignInTries,
    private readonly passwords: Passwords,
    private readonly sessions: OpenSessions,
    private readonly tokens: SignInTokens,
  ) {}

  /**
   * Starts a session of the member with this address and password, or asks for a code where the second step is on. Raises
   * `unauthorized` for every reason alike, and `rate_limit_exceeded` when the address failed too often for this account.
   */
  async execute(body: SignInBody, visitor: Visitor): Promise<OpenedSession | SecondStepWantedRecord> {
    const account = await tryOnce(
      () => this.tries.take(body.email, visitor.address),
      () => this.accountOf(body, visitor),
    );
    if (account === undefined) throw unauthorized();
    if (!account.hasSecondStep) return this.sessions.open(account, visitor);
    const { token, expiresAt } = await this.tokens.issue(account);
    return { second_step: { token, expires_at: expiresAt.toISOString() } };
  }

  private async accountOf(body: SignInBody, visitor: Visitor): Promise<NamedAccount | undefined> {
    const accounts = await this.store.accounts(body.email, body.workspace_id ?? undefined);
    const found = await this.firstMatch(accounts, body.password);
    // Asked when there is no account as well, so that the time says nothing.
    if (found === undefined) await this.sessions.refuse(accounts, 'sign_in.failed', visitor);
    return found;
  }

  /** All are compared, and something is when there is none: the time says nothing about which one it was. */
  private async firstMatch(accounts: readonly NamedAccount[], password: string) {
    if (accounts.length === 0) await this.passwords.matches(undefined, password);
    const matches: boolean[] = [];
    for (const { passwordHash } of accounts)
      matches.push(await this.passwords.matches(passwordHash, password));
    return accounts[matches.indexOf(true)];
  }
}

export class ProveSignIn {
  constructor(
    private readonly own: OwnSessionStore,
    private readonly store: SecondStepStore,
    private readonly check: CheckCode,
    private readonly tokens: SignInTokens,
    private readonly sessions: OpenSessions,
  ) {}

  /**
   * Starts the session of a person who gave the password, with a code. Raises `unauthorized` when the token is invalid, too
   * old, or older than the password, `invalid_request` for a wrong code, and `rate_limit_exceeded` after too many of them.
   */
  async execute({ token, code }: SecondStepBody, visitor: Visitor): Promise<OpenedSession> {
    const proven = await this.tokens.read(token);
    const account = proven && (await this.own.account(proven.userId));
    if (proven === undefined || account === undefined || !isOf(proven, account)) throw unauthorized();
    const accepted = await this.check.accept(account.userId, code, (proof) =>
      this.store.accept(account.userId, proof),
    );
    if (accepted) return this.sessions.open(account, visitor);
    await this.sessions.refuse([account], 'second_step.failed', visitor);
    throw invalidField('code', 'invalid_value', 'Expected a code that was not used before.');
  }
}

export class SetUp {
  constructor(
    private readonly workspaces: WorkspaceStore,
    private readonly store: SessionStore,
    private readonly passwords: Passwords,
    private readonly sessions: OpenSessions,
    private readonly setupToken: SetupToken,
  ) {}

  /** Whether the first user has to show the token that was printed at the start. */
  get asksForToken(): boolean {
    return this.setupToken.value !== undefined;
  }

  /** Whether the installation waits for its first user. */
  async isPending(): Promise<boolean> {
    return !(await this.workspaces.hasUsers());
  }

  /**
   * Makes the first user, owner and operator, and signs them in. Raises `conflict` once a user exists, `invalid_request`
   * without a token where one is asked for, and `unauthorized` for a wrong one.
   */
  async execute(body: SetupBody, visitor: Visitor): Promise<OpenedSession> {
    if (!(await this.isPending())) throw alreadySetUp();
    this.checkToken(body.setup_token ?? undefined);
    const [local = ''] = body.email.split('@');
    const made = await this.workspaces.bootstrap(
      'Default',
      {
        email: body.email,
        passwordHash: await this.passwords.hash(body.password),
        username: usernameFrom(local),
        displayName: body.display_name,
        operator: true,
      },
      undefined,
    );
    const [account] = made ? await this.store.accounts(body.email, undefined) : [];
    if (account === undefined) throw alreadySetUp();
    return this.sessions.open(account, visitor);
  }

  private checkToken(sent: string | undefined): void {
    const wanted = this.setupToken.value;
    if (wanted === undefined) return;
    if (sent === undefined)
      throw invalidField(
        'setup_token',
        'required',
        'Expected the setup token that was printed at the start.',
      );
    if (!timingSafeEqual(hashCredential(sent), hashCredential(wanted))) throw unauthorized();
  }
}

export class AcceptInvitation {
  constructor(
    private readonly invitations: InvitationStore,
    private readonly passwords: Passwords,
    private readonly sessions: OpenSessions,
  ) {}

  /** Whether the invitation of a token is open. */
  async isOpen(token: string): Promise<boolean> {
    return this.invitations.isOpen(hashCredential(token));
  }

  /**
   * Makes the invited one a member and signs them in. Raises `not_found` for a token that was used, replaced or is too
   * old, and `conflict` (`already_exists`) for a username that is taken.
   */
  async execute(token: string, body: AcceptInvitationBody, visitor: Visitor): Promise<OpenedSession> {
    if (!(await this.isOpen(token))) throw notFound('The invitation');
    const passwordHash = await this.passwords.hash(body.password);
    const userId = await this.invitations.accept({
      tokenHash: hashCredential(token),
      passwordHash,
      username: body.username,
      displayName: body.display_name,
    });
    return this.sessions.open({ userId, passwordHash }, visitor);
  }
}

function alreadySetUp(): AppError {
  return conflict('invalid_state', 'A user exists already: sign in.', { current: 'set_up' });
}
