import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../support/axe.js';
import { hasChromium, startChromium, type Visitor, visit } from '../support/chromium.js';
import { asPerson, type OAuthStage, type Person, startOAuthStage } from '../support/oauth.js';
import { type OAuthClient, startOAuthClient } from '../support/oauth-client.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from '../support/service-process.js';

const PHONE = { width: 390, height: 844 };

describe.skipIf(!hasChromium())('in a browser', () => {
  let browser: Browser;
  let stage: OAuthStage;
  let app: OAuthClient;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    [stage, browser] = await Promise.all([startOAuthStage(), startChromium()]);
    app = await startOAuthClient(stage);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await stage?.stop();
  });
  // In every test, no page sends a request to another host, and none reports an error.
  afterEach(async () => {
    const left = visitors.splice(0);
    await Promise.all(left.map(({ context }) => context.close()));
    expect(left.flatMap(({ faults }) => faults)).toEqual([]);
  });

  async function come(options?: Parameters<typeof visit>[2]): Promise<Visitor> {
    const visitor = await visit(browser, [stage.service.url, app.origin], options);
    visitors.push(visitor);
    return visitor;
  }

  async function signIn({ page }: Visitor, password = OWNER_PASSWORD): Promise<void> {
    await page.getByLabel('E-mail address').fill(OWNER_EMAIL);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  const login = () => `${stage.service.url}/dashboard/login`;

  describe('the reference page', () => {
    it('lists every operation, shows them when their group is opened, and fits a phone', async () => {
      const { page } = await come({ viewport: PHONE });
      await page.goto(`${stage.service.url}/docs`);
      const operations = await operationsOf(stage.service.url);
      await expect.poll(() => namedOperations(page), { timeout: 60_000, interval: 200 }).toEqual(operations);
      await expectToFit(page);
      // All groups together make a page of a hundred thousand elements.
      await page.getByRole('button', { name: 'Show all Templates endpoints' }).click();
      const section = page.locator('[id="v1/tag/templates/POST/openapi/templates"]');
      await section.getByRole('heading', { name: 'Create a template' }).waitFor();
      await section.getByText('201').first().waitFor();
      await expectToFit(page);
    });
  });

  describe('the sign-in page', () => {
    it('reports a wrong password, and signs in with a cookie that no script can read', async () => {
      const visitor = await come({ viewport: PHONE });
      const { page, context } = visitor;
      await page.goto(login());
      await signIn(visitor, 'wrong password');
      await page.getByText('Wrong e-mail address or password.').waitFor();
      expect(await context.cookies()).toEqual([]);
      visitor.forgive(/status of 401 .*dashboard\/api\/session/);
      await signIn(visitor);
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      expect(await context.cookies()).toMatchObject([
        { name: 'tl_session', httpOnly: true, secure: false, sameSite: 'Strict', path: '/', expires: -1 },
      ]);
      expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
        '',
        0,
        0,
      ]);
      await expectToFit(page);
    });

    it('has a disabled button until its script can send the form', async () => {
      const visitor = await come();
      const { page } = visitor;
      const script = new Promise<Route>((resolve) => {
        void page.route('**/dashboard/pages/pages.js', resolve);
      });
      await page.goto(login(), { waitUntil: 'commit' });
      expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
      await (await script).continue();
      await signIn(visitor);
      await page.waitForURL(`${stage.service.url}/dashboard`);
    });

    it('is shown after a sign-out, which also ends the session for copies of its cookie', async () => {
      const visitor = await come();
      const { page, context } = visitor;
      await page.goto(login());
      await signIn(visitor);
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      const [cookie] = await context.cookies();
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await context.cookies()).toEqual([]);
      const person = { userId: '', cookie: `tl_session=${cookie?.value}`, csrfToken: '' };
      const answer = await stage.anonymous.get('/dashboard/api/session', { headers: asPerson(person) });
      expect(answer.status).toBe(401);
    });

    it('accepts an invited user', async () => {
      const { body } = await stage.anonymous.post(
        '/dashboard/api/members',
        { email: 'new@example.test', role: 'viewer' },
        { headers: asPerson(stage.owner) },
      );
      const { page } = await come({ viewport: PHONE });
      await page.goto(String(body.invite_url));
      await page.getByLabel('Your name').fill('Nora New');
      await page.getByLabel(/^Username/).fill('nora');
      await page.getByLabel(/^Password/).fill('a password of Nora');
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByRole('button', { name: 'Account of Nora New' }).waitFor();
    });
  });

  describe('an OAuth app', () => {
    it('receives tokens when a user signs in and allows the access', async () => {
      const visitor = await come({ viewport: PHONE });
      const { page } = visitor;
      await page.goto(`${app.origin}/start`);
      await signIn(visitor);
      await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
      expect(await page.locator('main').innerText()).toContain(
        'Sam’s reader, registered by owner in Default',
      );
      await expectToFit(page);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('It worked.').waitFor();
      const { access_token: token } = await app.tokens();
      const me = await stage.anonymous.get('/openapi/users/me', {
        headers: { 'x-api-key': undefined, authorization: `Bearer ${token}` },
      });
      expect([me.status, me.body.id]).toEqual([200, stage.owner.userId]);
    });

    it.each([
      { locale: 'es', title: '¿Permitir el acceso?', asks: 'pide actuar por usted', deny: 'Denegar' },
      { locale: 'zh-CN', title: '允许访问？', asks: '请求代您操作', deny: '拒绝' },
      { locale: 'fr', title: 'Allow access?', asks: 'asks to act for you', deny: 'Deny' },
    ])('asks in the language of a browser that is set to $locale', async ({ locale, title, asks, deny }) => {
      const { page, context } = await come({ viewport: PHONE, locale });
      const { name, value } = cookieOf(stage.owner);
      await context.addCookies([{ name, value, url: stage.service.url }]);
      await page.goto(`${app.origin}/start`);
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.locator('main').innerText()).toContain(asks);
      expect(await page.locator('html').getAttribute('lang')).toBe(locale === 'fr' ? 'en' : locale);
      expect(await axeFindings(page)).toEqual([]);
      await expectToFit(page);
      await page.getByRole('button', { name: deny }).click();
      await page.getByText('It failed: access_denied').waitFor();
    });

    it('receives an error when a signed-in user who came from another site denies the access', async () => {
      const visitor = await come();
      const { page } = visitor;
      await page.goto(login());
      await signIn(visitor);
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await page.goto(`${app.origin}/`);
      await page.getByRole('link', { name: 'Connect' }).click();
      await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('It failed: access_denied').waitFor();
    });

    it('is refused with an error page and without a redirect if its redirect URI is not registered', async () => {
      const visitor = await come();
      const { page } = visitor;
      await page.goto(login());
      await signIn(visitor);
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      const answer = await page.goto(`${app.origin}/start?redirect_uri=http://127.0.0.1:1/elsewhere`);
      expect(answer?.status()).toBe(400);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      expect(await page.locator('a, form').count()).toBe(0);
      visitor.forgive(/status of 400/);
    });
  });
});

function cookieOf({ cookie }: Person): { name: string; value: string } {
  const [name = '', value = ''] = cookie.split('=');
  return { name, value };
}

/** No element extends beyond the right edge of the screen. */
async function expectToFit(page: Page): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** `METHOD path` of every operation in the description, sorted. */
async function operationsOf(url: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Paths };
  const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => methods.has(name))
        .map((name) => `${name.toUpperCase()} ${path}`),
    )
    .sort();
}

/** `METHOD path` of every operation that the page names, sorted. */
async function namedOperations(page: Page): Promise<string[]> {
  const text = await page.evaluate<string>('document.body.innerText');
  const named = text.matchAll(/^(GET|POST|PUT|PATCH|DELETE)\n(\/(?:openapi|api)\/\S+)$/gm);
  return [...new Set([...named].map(([, method, path]) => `${method} ${path}`))].sort();
}
