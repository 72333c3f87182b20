import type { Caller } from '../access/caller.js';
import { unauthorized } from '../access/failed-authentications.js';
import type { SessionIdentity } from '../access/session-identity.js';
import { type AppError, conflict, invalidField } from '../common/errors.js';
import type { Passwords } from '../common/passwords.js';
import type { CheckCode } from './check-code.js';
import type { NamedAccount, OwnSessionStore, SignInTries } from './ports.js';
import { newRecoveryCodes } from './recovery-codes.js';
import type {
  BeginSecondStepBody,
  BothStepsBody,
  ConfirmSecondStepBody,
  RecoveryCodesRecord,
  SecondStepRecord,
  SecondStepSecretRecord,
} from './second-step-record.js';
import type { OneTimeCodes, SecondStepStore } from './second-step-store.js';
import { tryOnce } from './try-once.js';

/** Turns the second step of a person's sign-in on and off. */
export class OwnSecondStep {
  constructor(
    private readonly store: SecondStepStore,
    private readonly sessions: OwnSessionStore,
    private readonly tries: SignInTries,
    private readonly passwords: Passwords,
    private readonly codes: OneTimeCodes,
    private readonly check: CheckCode,
  ) {}

  async describe(caller: Caller): Promise<SecondStepRecord> {
    const { workspaceId, userId } = sessionOf(caller);
    const found = await this.store.describe(workspaceId, userId);
    if (found === undefined) throw unauthorized();
    return found;
  }

  /**
   * Creates a secret for an app. Nothing changes until a code confirms it. Raises `invalid_request` for a wrong password,
   * `conflict` (`invalid_state`) if the second step is on, and `rate_limit_exceeded`.
   */
  async begin(caller: Caller, body: BeginSecondStepBody, address: string): Promise<SecondStepSecretRecord> {
    const { workspaceId } = sessionOf(caller);
    const account = await this.prove(caller, body.password, address);
    const secret = this.codes.newSecret();
    if (!(await this.store.begin(workspaceId, account, secret))) throw isOn();
    return { secret, uri: this.codes.uriOf(secret, account.email) };
  }

  /**
   * Turns the second step on. Raises `invalid_request` for a wrong code, and `conflict` (`invalid_state`) if no secret waits for
   * one.
   */
  async confirm(caller: Caller, { code }: ConfirmSecondStepBody): Promise<RecoveryCodesRecord> {
    const { userId } = sessionOf(caller);
    const pending = await this.store.pendingSecret(userId);
    if (pending === undefined)
      throw conflict('invalid_state', 'No setup of two-step sign-in waits for a code. Start it again.');
    const step = this.codes.stepOf(pending.secret, code.replace(/\s/g, ''));
    if (step === undefined) throw wrongCode();
    const made = newRecoveryCodes();
    const hashes = made.map(({ hash }) => hash);
    if (!(await this.store.enable(userId, pending.sealed, step, hashes))) throw isOn();
    return { recovery_codes: made.map((each) => each.code) };
  }

  /** Replaces all recovery codes. Raises `invalid_request` and `rate_limit_exceeded`. */
  async renewCodes(caller: Caller, body: BothStepsBody, address: string): Promise<RecoveryCodesRecord> {
    const account = await this.prove(caller, body.password, address);
    const made = newRecoveryCodes();
    const hashes = made.map(({ hash }) => hash);
    const accepted = await this.check.accept(account.userId, body.code, (proof) =>
      this.store.renewCodes(account, proof, hashes),
    );
    if (!accepted) throw wrongCode();
    return { recovery_codes: made.map((each) => each.code) };
  }

  /** Raises `invalid_request` and `rate_limit_exceeded`. */
  async disable(caller: Caller, body: BothStepsBody, address: string): Promise<void> {
    const account = await this.prove(caller, body.password, address);
    const accepted = await this.check.accept(account.userId, body.code, (proof) =>
      this.store.disable(account, proof),
    );
    if (!accepted) throw wrongCode();
  }

  /** A wrong password counts as a failed sign-in. */
  private async prove(caller: Caller, password: string, address: string): Promise<NamedAccount> {
    const account = await this.sessions.account(sessionOf(caller).userId);
    if (account === undefined) throw unauthorized();
    const proven = await tryOnce(
      () => this.tries.take(account.email, address),
      async () => ((await this.passwords.matches(account.passwordHash, password)) ? account : undefined),
    );
    if (proven !== undefined) return proven;
    throw invalidField('password', 'invalid_value', 'Expected the password that you signed in with.');
  }
}

function sessionOf({ session }: Caller): SessionIdentity {
  if (session === undefined) throw unauthorized();
  return session;
}

function wrongCode(): AppError {
  return invalidField('code', 'invalid_value', 'Expected a code that was not used before.');
}

function isOn(): AppError {
  return conflict('invalid_state', 'Two-step sign-in is on already.', { current: 'enabled' });
}
