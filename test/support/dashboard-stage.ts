import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type BrowserKind, startChromium, type Visitor, visit } from './chromium.js';
import type { Account } from './keys.js';
import { type ServiceOptions, startService } from './service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from './service-process.js';
import { type SharedService, shareService } from './shared-service.js';

const OWNER = { email: OWNER_EMAIL, password: OWNER_PASSWORD };

/** A workspace and a browser for the tests of the dashboard. */
export class DashboardStage {
  /** The visitors with an open page, in their order. */
  readonly visitors: Visitor[] = [];

  private constructor(
    readonly service: SharedService,
    readonly browser: Browser,
    private readonly stopService: () => Promise<unknown>,
  ) {}

  /** A new workspace in the shared service. */
  static async start(kind: BrowserKind = 'shell'): Promise<DashboardStage> {
    const [service, browser] = await Promise.all([shareService(), startChromium(kind)]);
    return new DashboardStage(service, browser, async () => undefined);
  }

  /** A new service, for tests that need settings or an empty installation. */
  static async startService(
    options: ServiceOptions = {},
    kind: BrowserKind = 'shell',
  ): Promise<DashboardStage> {
    const [service, browser] = await Promise.all([startService(options), startChromium(kind)]);
    return new DashboardStage({ ...service, owner: OWNER }, browser, () => service.stop());
  }

  /** Opens a screen in a new window, signed in through the HTTP interface. */
  async open(path: string, options?: Parameters<typeof visit>[2], as?: Account): Promise<Page> {
    const { page } = await this.signIn(options, as);
    await page.goto(`${this.service.url}/dashboard${path}`);
    return page;
  }

  /** An empty window with a session. */
  async signIn(options?: Parameters<typeof visit>[2], as: Account = this.service.owner): Promise<Visitor> {
    const visitor = await visit(this.browser, [this.service.url], options);
    this.visitors.push(visitor);
    // The window keeps the cookie, and the session has the name of its browser.
    const { email, password } = as;
    const answer = await visitor.context.request.post(`${this.service.url}/dashboard/api/session`, {
      data: { email, password },
    });
    if (!answer.ok()) throw new Error(`${email} is not signed in: ${answer.status()} ${await answer.text()}`);
    return visitor;
  }

  /** Closes the pages of a test, and fails if one of them reported an unexpected error. */
  async leave(...expected: readonly RegExp[]): Promise<void> {
    const left = this.visitors.splice(0);
    for (const visitor of left) for (const pattern of expected) visitor.forgive(pattern);
    await Promise.all(left.map(({ context }) => context.close()));
    expect(left.flatMap(({ faults }) => faults)).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stopService();
  }
}
