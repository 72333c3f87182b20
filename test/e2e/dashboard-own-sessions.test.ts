import { beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf, type Json } from '../support/api-client.js';
import { Browser, type Invited, invite, ownerBrowser } from '../support/browser.js';
import { type SharedService, shareService } from '../support/shared-service.js';

interface Shown {
  readonly id: string;
  readonly current: boolean;
  readonly address: string;
  readonly user_agent: string;
}

let service: SharedService;
let owner: Browser;
let ann: Invited;

beforeAll(async () => {
  service = await shareService();
  owner = await ownerBrowser(service);
  ann = await invite(service, owner, 'ann');
});

/** Another browser in which Ann is signed in. */
async function signedIn(password = ann.password, agent = 'Firefox'): Promise<Browser> {
  const browser = new Browser(service);
  const body = { email: ann.email, password };
  const headers = { 'user-agent': agent };
  expect((await browser.send('POST', '/session', { body, headers })).status).toBe(200);
  return browser;
}

const sessionsOf = async (browser: Browser) =>
  (await browser.must<{ data: Shown[] }>(200, 'GET', '/sessions')).data;
const statusOf = async (browser: Browser) => (await browser.get('/session')).status;

describe('the sessions of a person', () => {
  it('are listed with browser and address, and the one of the request is marked', async () => {
    const browser = await signedIn(ann.password, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0');
    const shown = await sessionsOf(browser);
    expect(shown).toHaveLength(2);
    expect(shown.filter(({ current }) => current)).toEqual([
      {
        id: expect.any(String),
        current: true,
        address: '127.0.0.1',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
    await browser.must(204, 'DELETE', '/session');
  });

  it('keep 256 characters of the browser’s user agent', async () => {
    const browser = await signedIn(ann.password, 'x'.repeat(3000));
    const [current] = (await sessionsOf(browser)).filter(({ current }) => current);
    expect(current?.user_agent).toBe('x'.repeat(256));
    await browser.must(204, 'DELETE', '/session');
  });

  it('are ended one by one from another browser', async () => {
    const other = await signedIn();
    const [target] = (await sessionsOf(other)).filter(({ current }) => current);
    await ann.browser.must(204, 'DELETE', `/sessions/${target?.id}`);
    expect([await statusOf(other), await statusOf(ann.browser)]).toEqual([401, 200]);
    expect((await ann.browser.delete(`/sessions/${target?.id}`)).status).toBe(404);
  });

  it('are ended together, except the one of the request', async () => {
    const others = [await signedIn(), await signedIn()];
    await ann.browser.must(204, 'DELETE', '/sessions');
    expect(await Promise.all(others.map(statusOf))).toEqual([401, 401]);
    expect(await statusOf(ann.browser)).toBe(200);
    expect(await sessionsOf(ann.browser)).toHaveLength(1);
  });

  it('cannot be found or ended by another person', async () => {
    const [own] = await sessionsOf(ann.browser);
    expect((await owner.delete(`/sessions/${own?.id}`)).status).toBe(404);
    expect(await statusOf(ann.browser)).toBe(200);
  });
});

describe('the password of a person', () => {
  const change = (browser: Browser, body: Json) => browser.send('PUT', '/password', { body });

  it('can be changed, which ends the other sessions', async () => {
    const other = await signedIn();
    const next = 'another password of ann';
    expect((await change(ann.browser, { current_password: ann.password, new_password: next })).status).toBe(
      204,
    );
    expect([await statusOf(ann.browser), await statusOf(other)]).toEqual([200, 401]);
    const old = await new Browser(service).post('/session', { email: ann.email, password: ann.password });
    expect(old.status).toBe(401);
    await (await signedIn(next)).must(204, 'DELETE', '/session');
    const back = { current_password: next, new_password: ann.password };
    expect((await change(ann.browser, back)).status).toBe(204);
  });

  it('is not changed with a wrong current password or to a short one', async () => {
    const wrong = await change(ann.browser, { current_password: 'wrong horse', new_password: 'long enough' });
    expect(fieldsOf(wrong)).toEqual([['current_password', 'invalid_value']]);
    const short = await change(ann.browser, { current_password: ann.password, new_password: 'short' });
    expect(fieldsOf(short)).toEqual([['new_password', 'too_short']]);
    await (await signedIn()).must(204, 'DELETE', '/session');
  });

  it('can be tried ten times in a quarter of an hour, like a sign-in', async () => {
    const bob = await invite(service, owner, 'bob');
    const tries: number[] = [];
    for (let count = 0; count < 11; count += 1)
      tries.push(
        (await change(bob.browser, { current_password: `wrong ${count}`, new_password: 'long enough' }))
          .status,
      );
    expect(tries).toEqual([...Array(10).fill(400), 429]);
  });
});
