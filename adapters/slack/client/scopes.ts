/** Scopes without which the rest of the adapter still works. */
export type OptionalScope = 'chat:write.customize' | 'reactions:write' | 'files:write';

/** What the installed app may do, as far as Slack told: each answer lists the token's scopes in `x-oauth-scopes`. */
export class Scopes {
  #granted: ReadonlySet<string> | undefined;
  readonly #denied = new Set<OptionalScope>();

  note(header: string | null): void {
    if (header === null || header.trim() === '') return;
    this.#granted = new Set(header.split(',').map((scope) => scope.trim()));
    for (const scope of this.#denied) if (this.#granted.has(scope)) this.#denied.delete(scope);
  }

  /** Slack refused a call for want of this scope. */
  deny(scope: OptionalScope): void {
    this.#denied.add(scope);
  }

  /** Whether it is certain that the app may not. */
  lacks(scope: OptionalScope): boolean {
    return this.#denied.has(scope) || this.#granted?.has(scope) === false;
  }
}
