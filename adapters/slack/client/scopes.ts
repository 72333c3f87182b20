import { type HealthReport, PlatformError } from '../../../src/contract/index.js';

/** Scopes that some feature always needs: messages, files, names, or the backfill (README, Credentials). */
const REQUIRED = [
  'chat:write',
  'files:read',
  'users:read',
  'usergroups:read',
  'reactions:read',
  'im:write',
  ...['channels', 'groups', 'im', 'mpim'].flatMap((kind) => [`${kind}:read`, `${kind}:history`]),
];

/** Scopes that the rest of the adapter does not require. */
export type OptionalScope = 'chat:write.customize' | 'reactions:write' | 'files:write';

/** The scopes of the installed app as far as known. Each response lists the token's scopes in `x-oauth-scopes`. */
export class Scopes {
  #granted: ReadonlySet<string> | undefined;
  readonly #denied = new Set<OptionalScope>();

  note(header: string | null): void {
    if (header === null || header.trim() === '') return;
    this.#granted = new Set(header.split(',').map((scope) => scope.trim()));
    for (const scope of this.#denied) if (this.#granted.has(scope)) this.#denied.delete(scope);
  }

  /** Records that Slack refused a call because of this scope. */
  deny(scope: OptionalScope): void {
    this.#denied.add(scope);
  }

  /** The report of a working connection. It names the required scopes that the app certainly lacks. */
  healthy(message: string): HealthReport {
    const missing = this.#granted === undefined ? [] : REQUIRED.filter((scope) => !this.#granted?.has(scope));
    if (missing.length === 0) return { code: 'ok', message };
    const scopes = missing.length === 1 ? `scope ${missing[0]}` : `scopes ${missing.join(', ')}`;
    return {
      code: 'ok',
      message: `${message} The app lacks the ${scopes}.`,
      fix: `Add the ${scopes} under OAuth & Permissions and install the app again.`,
    };
  }

  /** Whether the app certainly lacks the scope. */
  lacks(scope: OptionalScope): boolean {
    return this.#denied.has(scope) || this.#granted?.has(scope) === false;
  }
}

/** Rethrows an error. A missing scope that only some operations need does not stop the connection. */
export const withoutScope =
  (scope: string) =>
  (error: unknown): never => {
    if (!(error instanceof PlatformError) || error.code !== 'missing_scope') throw error;
    throw new PlatformError(
      { kind: 'rejected', reason: 'forbidden' },
      {
        dispatched: 'no',
        code: 'missing_scope',
        message: 'The Slack app lacks a permission for this.',
        fix: `Add the scope ${scope} to the app and install it again.`,
      },
    );
  };
