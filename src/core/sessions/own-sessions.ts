import type { Caller } from '../access/caller.js';
import { unauthorized } from '../access/failed-authentications.js';
import type { SessionIdentity } from '../access/session-identity.js';
import { invalidField, notFound } from '../common/errors.js';
import type { Passwords } from '../common/passwords.js';
import type { ChangePasswordBody } from './bodies.js';
import type { OwnSessionStore, SignInTries } from './ports.js';
import type { SignedInBrowserRecord } from './record.js';
import { tryOnce } from './try-once.js';

/** The sessions and the password of a person. Only a session of that person has access. */
export class OwnSessions {
  constructor(
    private readonly store: OwnSessionStore,
    private readonly tries: SignInTries,
    private readonly passwords: Passwords,
  ) {}

  async list(caller: Caller): Promise<{ data: readonly SignedInBrowserRecord[] }> {
    const { workspaceId, userId, sessionId } = sessionOf(caller);
    return { data: await this.store.list(workspaceId, userId, sessionId) };
  }

  /** Ends one session. Raises `not_found` for a session that has ended or is another person's. */
  async end(caller: Caller, id: string): Promise<void> {
    if (!(await this.store.end(sessionOf(caller).userId, id))) throw notFound('The session');
  }

  /** Ends all sessions except the one of this request. */
  endOthers(caller: Caller): Promise<void> {
    const { userId, sessionId } = sessionOf(caller);
    return this.store.endOthers(userId, sessionId);
  }

  /**
   * Changes the password and ends the other sessions. Raises `invalid_request` for a wrong current password, which counts as a
   * failed sign-in, and `rate_limit_exceeded` after too many of them.
   */
  async changePassword(caller: Caller, body: ChangePasswordBody, address: string): Promise<void> {
    const { userId, sessionId } = sessionOf(caller);
    const account = await this.store.account(userId);
    if (account === undefined) throw unauthorized();
    const proven = await tryOnce(
      () => this.tries.take(account.email, address),
      async () =>
        (await this.passwords.matches(account.passwordHash, body.current_password)) ? account : undefined,
    );
    if (proven === undefined) throw wrongPassword();
    const hash = await this.passwords.hash(body.new_password);
    // The password was changed elsewhere after it was compared.
    if (!(await this.store.changePassword(proven, hash, sessionId))) throw wrongPassword();
  }
}

function sessionOf({ session }: Caller): SessionIdentity {
  if (session === undefined) throw unauthorized();
  return session;
}

function wrongPassword() {
  return invalidField('current_password', 'invalid_value', 'Expected the password that you signed in with.');
}
