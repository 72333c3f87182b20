import { timingSafeEqual } from 'node:crypto';
import { clock } from '../../contract/clock.js';
import { hashCredential } from '../access/api-key-format.js';
import { unauthorized } from '../access/failed-authentications.js';
import { generateToken } from '../access/session-token.js';
import type { Log } from '../common/log.js';
import type { SecretBox, SecretLocation } from '../common/secret-box.js';
import {
  type Departure,
  type IdentityProvider,
  type ProvenPerson,
  ProviderError,
  type ProviderFault,
  type ProviderOutcome,
  type ProviderSessionStore,
} from './identity-provider.js';
import type { SessionReader, Visitor } from './ports.js';
import type { OpenedSession, OpenSessions } from './use-cases.js';

/** Enough time for a password and a code at the provider. */
export const DEPARTURE_MS = 10 * 60_000;
const PLACE: SecretLocation = { workspaceId: '', rowId: 'sign-in', field: 'departure' };

/** The reason why no session was started. `expired`: it began too long ago, or in another browser. */
export type ProviderRefusal =
  | ProviderFault
  | 'expired'
  | 'unverified'
  | 'no_role'
  | Exclude<ProviderOutcome, 'opened'>;

export class ProviderSignInRefused extends Error {
  override readonly name = 'ProviderSignInRefused';
  constructor(
    readonly reason: ProviderRefusal,
    readonly returnTo: string | undefined,
  ) {
    super(`The sign-in by the provider was refused: ${reason}.`);
  }
}

/** The page and the workspace that a sign-in leads to. */
export interface Destination {
  readonly returnTo: string | undefined;
  readonly workspaceId: string | undefined;
}

interface Content extends Destination {
  readonly departure: Departure;
  readonly expiresAt: number;
}

/**
 * Sign-in with an OpenID Connect provider. The service stores nothing while the browser is at the provider: the browser carries
 * an encrypted note.
 */
export class ProviderSignIn {
  constructor(
    private readonly provider: IdentityProvider | null,
    private readonly store: ProviderSessionStore,
    private readonly reader: SessionReader,
    private readonly sessions: OpenSessions,
    private readonly box: SecretBox,
    private readonly publicUrl: () => string,
    private readonly log: Log,
  ) {}

  /** The label of the sign-in button. Undefined without a provider. */
  get label(): string | undefined {
    return this.provider?.label;
  }

  /** The next URL of the browser, and its note. Raises ProviderSignInRefused. */
  async leave(destination: Destination): Promise<{ readonly url: string; readonly note: string }> {
    const { url, departure } = await this.asking(destination.returnTo, (provider) =>
      provider.leave(this.redirectUri()),
    );
    const content: Content = { ...destination, departure, expiresAt: clock.now() + DEPARTURE_MS };
    const sealer = await this.box.sealer(null);
    return { url, note: sealer.seal(JSON.stringify(content), PLACE).toString('base64url') };
  }

  /** Starts a session for the person who returns with the parameters in `search`. Raises ProviderSignInRefused. */
  async arrive(
    search: string,
    note: string | undefined,
    visitor: Visitor,
  ): Promise<OpenedSession & { readonly returnTo: string | undefined }> {
    const content = note === undefined ? undefined : await this.read(note);
    const returned = new URL(`${this.redirectUri()}${search}`);
    if (content === undefined || !isOf(returned, content.departure))
      throw new ProviderSignInRefused('expired', content?.returnTo);
    const { returnTo, workspaceId } = content;
    const person = await this.asking(returnTo, (provider) => provider.arrive(returned, content.departure));
    if (person.role === null) throw this.refused('no_role', returnTo);
    return { ...(await this.open(person, workspaceId, returnTo, visitor)), returnTo };
  }

  private async open(
    person: ProvenPerson,
    workspaceId: string | undefined,
    returnTo: string | undefined,
    visitor: Visitor,
  ): Promise<OpenedSession> {
    const { token, hash } = generateToken('tl_ss_');
    const outcome = await this.store.openByProvider(person, workspaceId, hash, visitor);
    if (outcome === 'unknown' && person.email === undefined) throw this.refused('unverified', returnTo);
    if (outcome !== 'opened') throw this.refused(outcome, returnTo);
    const session = await this.reader.find(token);
    if (session === undefined) throw unauthorized();
    return { token, record: await this.sessions.describe(session) };
  }

  private async asking<Answer>(
    returnTo: string | undefined,
    ask: (provider: IdentityProvider) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.provider === null) throw new ProviderSignInRefused('unavailable', returnTo);
    try {
      return await ask(this.provider);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.log.warn({ fault: error.fault, reason: error.reason }, 'sign_in.provider_failed');
      throw new ProviderSignInRefused(error.fault, returnTo);
    }
  }

  private refused(reason: ProviderRefusal, returnTo: string | undefined): ProviderSignInRefused {
    this.log.info({ reason }, 'sign_in.provider_refused');
    return new ProviderSignInRefused(reason, returnTo);
  }

  private redirectUri(): string {
    return `${this.publicUrl()}/dashboard/oidc/callback`;
  }

  private async read(note: string): Promise<Content | undefined> {
    try {
      const content = JSON.parse(await this.box.open(Buffer.from(note, 'base64url'), PLACE)) as Content;
      return content.expiresAt > clock.now() ? content : undefined;
    } catch {
      // The note is not valid, or it was encrypted with a former master key.
      return undefined;
    }
  }
}

/** Whether the browser returns from this sign-in. */
function isOf(returned: URL, { state }: Departure): boolean {
  const sent = returned.searchParams.getAll('state');
  return sent.length === 1 && timingSafeEqual(hashCredential(sent[0] ?? ''), hashCredential(state));
}
