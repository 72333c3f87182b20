import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Json } from '../support/api-client.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { freePort } from '../support/free-port.js';
import { type NetworkCable, networkCable } from '../support/network-cable.js';

const MAX_MS = { timeout: 30_000 };

/** The paths of all stored responses. */
const STORED_PATHS = `(async () => {
  const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return caught.flat().map(({ url }) => new URL(url).pathname);
})()`;

/** Stores caches of two older releases in the browser, and makes it install the present release again at the next visit. */
const LEAVE_OLDER_RELEASES = `(async () => {
  for (const name of ['dashboard.1', 'dashboard.2', 'other']) await caches.open(name);
  await (await navigator.serviceWorker.getRegistration('/dashboard')).unregister();
})()`;

/** What the browser reports of requests without a network. */
const NO_NETWORK =
  /ERR_(?:INTERNET_DISCONNECTED|FAILED|CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|NETWORK_CHANGED)/;

describe.skipIf(!hasChromium())('The dashboard without a network', () => {
  let stage: DashboardStage;
  let api: ApiClient;
  let cable: NetworkCable;

  beforeAll(async () => {
    const port = await freePort();
    cable = await networkCable(port);
    stage = await DashboardStage.startService({ env: { PORT: String(port), PUBLIC_URL: cable.url } });
    api = stage.service.client();
  });
  afterEach(() => {
    for (const { faults } of stage.visitors) {
      const others = faults.filter((fault) => !NO_NETWORK.test(fault));
      faults.splice(0, faults.length, ...others);
    }
    return stage.leave();
  });
  afterAll(async () => {
    await stage?.stop();
    await cable?.cut();
  });

  /** No request reaches the service, and the browser is offline. */
  async function disconnect(context: BrowserContext): Promise<void> {
    await cable.cut();
    await context.setOffline(true);
  }

  async function reconnect(context: BrowserContext): Promise<void> {
    await cable.mend();
    await context.setOffline(false);
  }

  async function conversation(): Promise<Json> {
    const guest = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ada' });
    const made = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [guest.id] });
    await api.must(201, 'POST', '/openapi/messages', { conversation_id: made.id, text: 'Where is it?' });
    return made;
  }

  const field = (page: Page) => page.getByLabel('Write a message');

  /** Opens a page and waits until it works offline. */
  async function open(path: string): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
    const page = await stage.open(path, { serviceWorkers: 'allow' });
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null'), MAX_MS).toBe(true);
    return { page, context: page.context() };
  }

  const sentTexts = async ({ id }: Json): Promise<unknown[]> => {
    const { data } = await api.must(200, 'GET', `/openapi/messages?conversation_id=${id}`);
    return (data as Json[]).map(({ text }) => text);
  };

  it('opens again, keeps the draft, and sends a written message exactly once when the network is back', async () => {
    const about = await conversation();
    const { page, context } = await open(`/inbox/${about.number}`);
    await field(page).waitFor();
    await disconnect(context);
    await field(page).fill('It is on its way');
    await field(page).press('Enter');
    const written = page.getByRole('article').filter({ hasText: 'It is on its way' });
    await written.getByText('Waiting for the network').waitFor();
    await page.getByText('No network. What you see may be old').waitFor();
    await field(page).fill('And one more th');
    await page.reload();
    await page.getByText('No connection to the service').waitFor();
    await page.getByText('1 message is sent then.').waitFor();
    await reconnect(context);
    await expect
      .poll(
        () =>
          field(page)
            .inputValue()
            .catch(() => ''),
        MAX_MS,
      )
      .toBe('And one more th');
    const isSent = async () => (await sentTexts(about)).filter((text) => text === 'It is on its way').length;
    await expect.poll(isSent, MAX_MS).toBe(1);
    // No message is left that could be sent again.
    const waiting = () =>
      page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('outbox.')).length");
    await expect.poll(waiting, MAX_MS).toBe(0);
    await page.reload();
    await page.getByRole('article').filter({ hasText: 'It is on its way' }).waitFor();
    expect(await isSent()).toBe(1);
  });

  it('sends a written message when the network is back, even if another screen is open', async () => {
    const about = await conversation();
    const { page, context } = await open(`/inbox/${about.number}`);
    await field(page).waitFor();
    await disconnect(context);
    await field(page).fill('Seen from the contacts');
    await field(page).press('Enter');
    await page.getByText('Seen from the contacts').first().waitFor();
    await page.goto(`${stage.service.url}/dashboard/contacts`);
    await page.getByText('No connection to the service').waitFor();
    await reconnect(context);
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
    await expect.poll(() => sentTexts(about), MAX_MS).toContain('Seen from the contacts');
  });

  it('caches only files of the build, and no responses of the service', async () => {
    const about = await conversation();
    const { page } = await open(`/inbox/${about.number}`);
    await field(page).waitFor();
    await page.reload();
    await field(page).waitFor();
    const stored = await page.evaluate<string[]>(STORED_PATHS);
    expect(stored).toContain('/dashboard/index.html');
    const isOfBuild = /^\/dashboard\/(?:index\.html|theme\.js|icon(?:-unread)?\.svg|assets\/[\w.-]+)$/;
    expect(stored.filter((path) => !isOfBuild.test(path))).toEqual([]);
  });

  it('deletes the cached files of old releases, except those of the previous release', async () => {
    const { page } = await open('/inbox');
    await page.evaluate(LEAVE_OLDER_RELEASES);
    const before = await page.evaluate<string[]>('caches.keys()');
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    const expected = before.filter((name) => name !== 'dashboard.1').sort();
    const names = async () => (await page.evaluate<string[]>('caches.keys()')).sort();
    await expect.poll(names, MAX_MS).toEqual(expected);
  });

  it('can be installed', async () => {
    const { page } = await open('/inbox');
    const session = await page.context().newCDPSession(page);
    const { errors, data } = await session.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { icons, start_url: start } = JSON.parse(String(data));
    expect(start).toBe('/dashboard/inbox');
    for (const { src, type } of icons) {
      const answer = await page.request.get(stage.service.url + src);
      expect([answer.status(), answer.headers()['content-type']]).toEqual([200, type]);
    }
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual(
      [],
    );
  });
});
