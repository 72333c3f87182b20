import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type Browser, invite, ownerBrowser } from '../support/browser.js';
import { hasChromium } from '../support/chromium.js';
import { DashboardStage } from '../support/dashboard-stage.js';
import { type BrowserSubscription, PushService } from '../support/push-service.js';

const PATIENT = { timeout: 30_000 };

/** Longer than the interval in which several sounds count as one. */
const SLOWLY = { ...PATIENT, interval: 3_000 };

/** Keeps the frequencies of all tones that the page plays. */
const HEAR = `(() => {
  globalThis.tones = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (at) {
    globalThis.tones.push(this.frequency.value);
    return start.call(this, at);
  };
})()`;

/** Chromium's push service is on the internet. A local one replaces it at the browser's interface. */
const subscribingAt = (subscription: BrowserSubscription) => `
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    globalThis.subscribedWith = applicationServerKey;
    return { toJSON: () => (${JSON.stringify(subscription)}) };
  };`;

/** Reads the shown notifications while the service worker shows and closes none. */
const SHOWN = `inTurn(async () => (await registration.getNotifications()).map(({ title, body, tag, actions }) => ({
  title, body, tag, actions: actions.map((action) => action.title) })))`;

/** Holds the requests of the service worker until `release()`, and counts them and their responses. */
const HOLD_REQUESTS = `(() => {
  const { fetch } = globalThis;
  const released = new Promise((resolve) => { globalThis.release = resolve; });
  globalThis.requests = 0;
  globalThis.responses = 0;
  globalThis.fetch = async (...request) => {
    globalThis.requests += 1;
    await released;
    const response = await fetch(...request);
    const text = await response.text();
    globalThis.responses += 1;
    return new Response(text, response);
  };
})()`;

const WORKING = { permissions: ['notifications'], serviceWorkers: 'allow' as const };

describe.skipIf(!hasChromium())('The notifications of the dashboard', () => {
  const simulator = new TwilioSimulator({ limits: 'none' });
  const customer = simulator.chats()[0]?.id ?? '';
  let stage: DashboardStage;
  let pushes: PushService;
  let api: ApiClient;
  let owner: Browser;
  let conversation: Json;

  beforeAll(async () => {
    await simulator.start();
    pushes = await PushService.start();
    stage = await DashboardStage.startService(
      { env: { NODE_EXTRA_CA_CERTS: pushes.certificateFile } },
      'whole',
    );
    api = stage.service.client();
    owner = await ownerBrowser(stage.service);
    const connection = await api.must<Json>(201, 'POST', '/openapi/platforms/sms/connections', {
      name: 'number',
      ...simulator.account(),
    });
    await eventually(
      () => api.must<Json>(200, 'GET', `/openapi/platforms/connections/${connection.id}`),
      ({ health }) => (health as Json | undefined)?.message === 'Ready for webhooks from Twilio.',
    );
    simulator.setWebhook(String(connection.webhook_url));
    const links = [{ connection_id: connection.id, external_id: customer }];
    conversation = await api.must(201, 'POST', '/openapi/conversations', { links });
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage?.stop();
    await pushes?.close();
    await simulator.stop();
  });

  const write = (text: string) => simulator.post({ chatId: customer, sender: 'Ada', text });
  const chosen = async () => (await owner.get<Json>('/notifications')).body;
  const tones = (page: Page) => page.evaluate('globalThis.tones');
  const choice = (page: Page, name: string) => page.getByRole('checkbox', { name });

  it('play a sound for messages in unassigned conversations and in those of the person, as chosen', async () => {
    const page = await stage.open('/contacts');
    await page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
    await page.evaluate(HEAR);
    const hears = async () => {
      await write('Hello');
      return tones(page);
    };
    // A message that arrives before the page follows the service makes no sound.
    await expect.poll(hears, SLOWLY).toEqual([660, 880]);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Notifications' }).click();
    await choice(page, 'New message in a conversation without assignee').click();
    await expect.poll(chosen, PATIENT).toMatchObject({ sound_unassigned: false, sound_mine: true });
    await page.evaluate('globalThis.tones.length = 0');
    // Within two seconds of a sound there is no other sound and no request.
    const looked = page.waitForResponse(`**/dashboard/api/openapi/conversations/${conversation.id}`, PATIENT);
    let isLooked = false;
    void looked.then(() => {
      isLooked = true;
    });
    const looks = async () => {
      await write('Anybody?');
      return isLooked;
    };
    await expect.poll(looks, SLOWLY).toBe(true);
    expect(await tones(page)).toEqual([]);
    const { id } = (await owner.get<Json>('/openapi/users/me')).body;
    await api.must(200, 'PATCH', `/openapi/conversations/${conversation.id}`, { assignee_id: id });
    await expect.poll(hears, SLOWLY).toEqual([660, 880]);
    await choice(page, 'New message in a conversation assigned to me').click();
    await page.evaluate('globalThis.tones.length = 0');
    await page.getByRole('button', { name: 'Play the sound' }).click();
    await expect.poll(() => tones(page), PATIENT).toEqual([660, 880]);
  });

  it('are configured for all browsers of a person, and a push is shown and opens its conversation', async () => {
    const page = await stage.open('/settings/notifications', WORKING);
    await choice(page, 'Hide the text of messages: a push has only the name').click();
    await expect.poll(chosen, PATIENT).toMatchObject({ push_shows_text: false, pushes_here: false });
    await page.reload();
    await expect.poll(() => choice(page, 'Hide the text').isChecked(), PATIENT).toBe(true);
    const subscription = pushes.browser();
    await page.evaluate(subscribingAt(subscription));
    await page.getByRole('button', { name: 'Turn on pushes' }).click();
    await page.getByText('This browser gets pushes.').waitFor();
    const { public_key: key } = (await owner.get<Json>('/push-key')).body;
    expect(await page.evaluate('globalThis.subscribedWith')).toBe(key);
    await page.getByRole('button', { name: 'Send a test push' }).click();
    await page.getByText('The test push was sent.').waitFor();
    await write('Where is my card 4111?');
    await expect.poll(() => pushes.of(subscription).length, PATIENT).toBe(2);
    const [test, message] = pushes.of(subscription).map(({ payload }) => payload);
    await deliver(page, test);
    const tested = { title: 'Trunkline', body: 'Pushes work in this browser.' };
    await expect.poll(() => shown(page), PATIENT).toMatchObject([tested]);
    // The second one is a repetition.
    await deliver(page, message);
    await deliver(page, message);
    await expect.poll(() => shown(page), PATIENT).toHaveLength(2);
    const hidden = { title: message?.title, body: 'New message', tag: conversation.id };
    expect((await shown(page)).filter(({ title }) => title !== tested.title)).toMatchObject([hidden]);
    await click(page.context(), conversation.id);
    await page.waitForURL(`**/dashboard/inbox/${conversation.number}`);
    await page.goBack();
    await page.getByRole('button', { name: 'Turn off pushes' }).click();
    await expect.poll(chosen, PATIENT).toMatchObject({ pushes_here: false });
  });

  it('close when the conversation was read in another browser', async () => {
    const page = await stage.open('/settings/notifications', WORKING);
    const id = String(conversation.id);
    await page.evaluate('navigator.serviceWorker.ready');
    await write('Is anybody there?');
    await deliver(page, {
      tag: id,
      id: 'm',
      title: 'Ada',
      body: 'Is anybody there?',
      path: '/dashboard/inbox/1',
    });
    await expect.poll(() => shown(page, id), PATIENT).toHaveLength(1);
    const { data } = (await owner.get<{ data: Json[] }>(`/openapi/messages?filter=conversation_id:${id}`))
      .body;
    await owner.must(204, 'POST', '/messages/read', { message_ids: data.map((message) => message.id) });
    await expect.poll(() => shown(page), PATIENT).toEqual([]);
  });

  it('ring for a call while no dashboard page is open, and can answer or decline it', async () => {
    const grace = await invite(stage.service, owner, 'grace');
    const { id: me } = (await owner.get<Json>('/openapi/users/me')).body;
    const call = () =>
      grace.browser.must<Json>(201, 'POST', '/openapi/calls', { type: 'voice', participant_ids: [me] });
    const ringing = (id: unknown) => ({
      tag: id,
      id,
      title: 'grace',
      path: '/dashboard/inbox/1',
      call: { id, type: 'voice', is_missed: false },
    });
    const page = await stage.open('/settings/notifications', WORKING);
    await page.evaluate('navigator.serviceWorker.ready');
    const first = await call();
    const banner = page.getByRole('region', { name: 'Call from grace' });
    await banner.waitFor();
    await deliver(page, ringing(first.id));
    // The page itself rings.
    await deliver(page, { tag: 'other', id: 'other', title: 'Ada', body: 'Hello', path: '/dashboard/' });
    await expect.poll(() => shown(page, 'other'), PATIENT).toHaveLength(1);
    expect(await shown(page, first.id)).toEqual([]);
    // A page of the service that is not part of the dashboard.
    await page.goto(`${stage.service.url}/dashboard/login`);
    await deliver(page, ringing(first.id));
    await expect
      .poll(() => shown(page, first.id), PATIENT)
      .toMatchObject([{ body: 'Incoming voice call', actions: ['Answer', 'Decline'] }]);
    await click(page.context(), first.id, 'decline');
    const reasonOf = async () => (await api.get<Json>(`/openapi/calls/${first.id}`)).body.end_reason;
    await expect.poll(reasonOf, PATIENT).toBe('declined');
    const second = await call();
    await deliver(page, ringing(second.id));
    await expect.poll(() => shown(page, second.id), PATIENT).toHaveLength(1);
    // A synthetic click may not open a window, so the path is recorded instead.
    await inWorker(page.context(), 'clients.openWindow = async (path) => { globalThis.opened = path; }');
    await click(page.context(), second.id, 'answer');
    await expect.poll(() => inWorker(page.context(), 'globalThis.opened'), PATIENT).toMatch(/^\/join\/./);
    await api.must(200, 'POST', `/openapi/calls/${second.id}/end`, {});
    await deliver(page, {
      ...ringing(second.id),
      id: 'missed',
      call: { ...ringing(second.id).call, is_missed: true },
    });
    await expect
      .poll(() => shown(page, second.id), PATIENT)
      .toMatchObject([{ body: 'Missed call', actions: [] }]);
  });

  it('keep a newer notification of a call that arrives while an older one is still being checked', async () => {
    const { id: me } = (await owner.get<Json>('/openapi/users/me')).body;
    const heidi = await invite(stage.service, owner, 'heidi');
    const body = { type: 'voice', participant_ids: [me] };
    const { id } = await heidi.browser.must<Json>(201, 'POST', '/openapi/calls', body);
    const page = await stage.open('/settings/notifications', WORKING);
    await page.evaluate('navigator.serviceWorker.ready');
    await page.goto(`${stage.service.url}/dashboard/login`);
    await inWorker(page.context(), HOLD_REQUESTS);
    const push = { tag: id, title: 'heidi', path: '/dashboard/inbox/1' };
    await deliver(page, { ...push, id, call: { id, type: 'voice', is_missed: false } });
    await expect.poll(() => inWorker(page.context(), 'requests'), PATIENT).toBe(1);
    await api.must(200, 'POST', `/openapi/calls/${id}/end`, {});
    await deliver(page, { ...push, id: 'missed', call: { id, type: 'voice', is_missed: true } });
    const missed = { body: 'Missed call', actions: [] };
    await expect.poll(() => shown(page, id), PATIENT).toMatchObject([missed]);
    await inWorker(page.context(), 'release()');
    // The session and the calls.
    await expect.poll(() => inWorker(page.context(), 'responses'), PATIENT).toBe(2);
    await deliver(page, { tag: 'later', id: 'later', title: 'heidi', path: '/dashboard/' });
    await expect.poll(() => shown(page, 'later'), PATIENT).toHaveLength(1);
    expect(await shown(page, id)).toMatchObject([missed]);
  });

  it('explain why a browser receives no pushes', async () => {
    const page = await stage.open('/settings/notifications', { permissions: [] });
    await page.getByRole('button', { name: 'Turn on pushes' }).click();
    await page.getByText('Notifications of this page are blocked.').waitFor();
  });

  /** Passes a push to the service worker, as the browser does after it has decrypted it. */
  async function deliver(page: Page, payload: unknown): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    const found = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [registration] = registrations.filter(({ isDeleted }) => !isDeleted);
        if (registration !== undefined) resolve(registration.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: stage.service.url,
      registrationId: await found,
      data: JSON.stringify(payload),
    });
    await devtools.detach();
  }

  /** The notifications with this tag, or all of them. */
  async function shown(page: Page, tag?: unknown): Promise<readonly Json[]> {
    const all = (await inWorker(page.context(), SHOWN)) as readonly Json[];
    return all.filter((each) => tag === undefined || each.tag === tag);
  }

  /** A synthetic click does the same as a real one, except that it does not keep the service worker alive. */
  async function click(context: BrowserContext, tag: unknown, action = ''): Promise<void> {
    await inWorker(
      context,
      `(async () => {
      const [notification] = await registration.getNotifications({ tag: '${tag}' });
      dispatchEvent(new NotificationEvent('notificationclick', { notification, action: '${action}' }));
    })()`,
    );
  }

  const inWorker = (context: BrowserContext, program: string): Promise<unknown> | undefined =>
    context.serviceWorkers()[0]?.evaluate(program);
});
