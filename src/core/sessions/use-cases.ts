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

/** A new session. Its token is shown only in this response. */
export interface OpenedSession {
  readonly token: string;
  readonly record: SessionRecord;
}

export class OpenSessions {
  constructor(
    private readonly store: SessionStore,
    private readonly reader: SessionReader,
  ) {}

  /** Starts a session with a new token, whatever token the browser had. */
  async open(account: Account, visitor: Visitor): Promise<OpenedSession> {
    const { token, hash } = generateToken('tl_ss_');
    await this.store.open(account, hash, visitor);
    const session = await this.reader.find(token);
    // The member was suspended or removed, or the password was changed after it was compared.
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

  /** Records a refused sign-in for these people. */
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
   * Starts a session of the member with this address and password, or asks for a code if the second step is on. Raises
   * `unauthorized` for every reason alike, and `rate_limit_exceeded` if the address failed too often for this account.
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
    // Also called without an account, so that the response time reveals nothing.
    if (found === undefined) await this.sessions.refuse(accounts, 'sign_in.failed', visitor);
    return found;
  }

  /** Compares the password with all accounts, or with none, so that the response time does not reveal which one matched. */
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
   * Starts the session of a person who gave the password, with a code. Raises `unauthorized` for a token that is invalid,
   * expired, or older than the password, `invalid_request` for a wrong code, and `rate_limit_exceeded` after too many of them.
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

  /** Whether the first user must enter the token that was printed at the start. */
  get asksForToken(): boolean {
    return this.setupToken.value !== undefined;
  }

  /** Whether the installation has no user yet. */
  async isPending(): Promise<boolean> {
    return !(await this.workspaces.hasUsers());
  }

  /**
   * Creates the first user as owner and operator, and signs the user in. Raises `conflict` if a user exists, `invalid_request` if
   * a required token is missing, and `unauthorized` for a wrong token.
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

  /** Whether the token belongs to an open invitation. */
  async isOpen(token: string): Promise<boolean> {
    return this.invitations.isOpen(hashCredential(token));
  }

  /**
   * Activates the invited member and signs the member in. Raises `not_found` for a token that was used, replaced or is too old,
   * and `conflict` (`already_exists`) for a username that is taken.
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
