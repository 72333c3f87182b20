import { apiKeyScopes } from '../../src/core/access/scopes.js';

export interface KeyOptions {
  /** A comma list, or all. */
  readonly scopes?: string;
  readonly rateLimit?: number;
  readonly test?: boolean;
}

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** Creates API keys and workspaces as a user of the dashboard does: signed in once, with a request for each. */
export class KeyMaker {
  #session: Promise<{ cookie: string; csrf: string }> | undefined;

  constructor(
    private readonly url: string,
    private readonly account: Account,
  ) {}

  async make({ scopes = 'all', rateLimit = 0, test = false }: KeyOptions = {}): Promise<string> {
    const { key } = await this.#ask('/keys', {
      name: 'Test',
      scopes: scopes === 'all' ? apiKeyScopes : scopes.split(',').filter((scope) => scope !== ''),
      rate_limit: rateLimit,
      environment: test ? 'test' : 'live',
    });
    return String(key);
  }

  /** As the operator of the installation. */
  async createWorkspace(name: string, owner: Account): Promise<void> {
    await this.#ask('/workspaces', { name, owner_email: owner.email, owner_password: owner.password });
  }

  async #ask(path: string, body: object): Promise<Record<string, unknown>> {
    this.#session ??= this.#signIn();
    const { cookie, csrf } = await this.#session;
    return (await this.#post(path, body, { cookie, 'x-csrf-token': csrf })).body;
  }

  async #signIn() {
    const { body, cookie } = await this.#post('/session', this.account);
    return { cookie, csrf: String(body.csrf_token) };
  }

  async #post(path: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.url}/dashboard/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
    const [cookie = ''] = (response.headers.getSetCookie()[0] ?? '').split(';', 1);
    return { body: JSON.parse(text) as Record<string, unknown>, cookie };
  }
}
