import { expect } from 'vitest';
import type { ApiAnswer, Json, RequestOptions } from './api-client.js';
import type { Account } from './keys.js';
import type { Service } from './service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from './service-process.js';

const BASE = '/dashboard/api';

/** A user of the dashboard: keeps the cookie and sends the CSRF token as its pages do. */
export class Browser {
  cookie: string | undefined;
  csrf: string | undefined;

  constructor(private readonly service: Pick<Service, 'client'>) {}

  async send<T = Json>(method: string, path: string, options: RequestOptions = {}): Promise<ApiAnswer<T>> {
    const headers = { cookie: this.cookie, 'x-csrf-token': this.csrf, ...options.headers };
    const client = this.service.client('');
    const own = { ...options, headers: { 'x-api-key': undefined, ...headers } };
    const answer = await client.send<T>(method, BASE + path, own);
    this.#remember(answer as ApiAnswer<Json>);
    return answer;
  }

  get<T = Json>(path: string): Promise<ApiAnswer<T>> {
    return this.send<T>('GET', path);
  }

  post<T = Json>(path: string, body?: unknown): Promise<ApiAnswer<T>> {
    return this.send<T>('POST', path, { body });
  }

  patch<T = Json>(path: string, body?: unknown): Promise<ApiAnswer<T>> {
    return this.send<T>('PATCH', path, { body });
  }

  delete<T = Json>(path: string): Promise<ApiAnswer<T>> {
    return this.send<T>('DELETE', path);
  }

  async must<T = Json>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send<T>(method, path, { body });
    expect(`${answer.status} ${answer.status === status ? '' : answer.text}`).toBe(`${status} `);
    return answer.body;
  }

  signIn(email = OWNER_EMAIL, password = OWNER_PASSWORD, more: Json = {}): Promise<Json> {
    return this.must(200, 'POST', '/session', { email, password, ...more });
  }

  #remember({ headers, body }: ApiAnswer<Json>): void {
    const [set] = headers['set-cookie'] ?? [];
    if (set !== undefined) this.cookie = set.split(';', 1)[0];
    if (typeof body?.csrf_token === 'string') this.csrf = body.csrf_token;
  }
}

/** The signed-in owner of the service, or of the test file's own workspace in the shared service. */
export async function ownerBrowser(
  service: Pick<Service, 'client'> & { readonly owner?: Account },
): Promise<Browser> {
  const browser = new Browser(service);
  await browser.signIn(service.owner?.email, service.owner?.password);
  return browser;
}

export interface Invited {
  readonly browser: Browser;
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** Invites a person and accepts the invitation. The person is signed in. */
export async function invite(
  service: Pick<Service, 'client'> & { readonly owner?: Account },
  owner: Browser,
  name: string,
  role = 'member',
): Promise<Invited> {
  // Workspaces of the shared service have different people.
  const email = service.owner === undefined ? `${name}@example.test` : `${name}.${service.owner.email}`;
  const password = `password of ${name}`;
  const { invite_url: url } = await owner.must<{ invite_url: string }>(201, 'POST', '/members', {
    email,
    role,
  });
  const browser = new Browser(service);
  const token = url.split('/').at(-1);
  const session = await browser.must<{ user: Json }>(200, 'POST', `/invitations/${token}`, {
    password,
    username: name,
    display_name: name,
  });
  return { browser, id: String(session.user.id), email, password };
}
