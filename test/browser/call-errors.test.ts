import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, Json } from '../support/api-client.js';
import { hasChromium, startChromium, type Visitor, visit } from '../support/chromium.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Service, startService } from '../support/service.js';

/** Lets a test send frames on the socket of the page and see what the service answers. */
const WATCH_SOCKET = `
  window.errors = [];
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      window.socket = this;
      this.addEventListener('message', ({ data }) => {
        const { type, error } = JSON.parse(data);
        if (type === 'error') window.errors.push(error);
      });
    }
  };`;

const STRANGER = '0190b0a0-0000-7000-8000-0000000000aa';
const PEER_PLAYS = `[...document.querySelectorAll('video')].some((video) => !video.muted && video.currentTime > 0.2)`;

const until = (page: Page, expression: string) =>
  expect.poll(() => page.evaluate(expression), { timeout: 60_000 }).toBe(true);

describe.skipIf(!hasChromium())('an error on the socket of the call page', () => {
  let browser: Browser;
  let database: TestDatabase;
  let service: Service;
  let api: ApiClient;

  beforeAll(async () => {
    database = await testDatabase();
    const env = { DATABASE_URL: database.url };
    [service, browser] = await Promise.all([startService({ env }), startChromium('whole')]);
    api = service.client();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await database?.drop();
  });

  async function ring(): Promise<Json> {
    const ann = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    return api.must(201, 'POST', '/openapi/calls', { type: 'voice', participant_ids: [ann.id] });
  }

  async function open(call: Json, name: RegExp): Promise<Visitor> {
    const visitor = await visit(browser, [service.url]);
    await visitor.page.addInitScript(WATCH_SOCKET);
    await visitor.page.goto(String(call.join_url));
    await visitor.page.getByRole('button', { name }).click();
    return visitor;
  }

  const send = (page: Page, frame: Json) =>
    page.evaluate(`socket.send(${JSON.stringify(JSON.stringify(frame))})`);

  it('does not end the call when it concerns one frame only', async () => {
    const call = await ring();
    const owner = await open(call, /^Join as owner/);
    const ann = await open(call, /^Join as Ann/);
    for (const { page } of [owner, ann]) await until(page, PEER_PLAYS);
    await send(owner.page, { type: 'candidate', call_id: call.id, to: STRANGER, payload: {} });
    await send(owner.page, { type: 'candidate', call_id: call.id });
    await until(owner.page, `errors.join() === 'not_found,invalid_request'`);
    await owner.page.getByText('You are in the call.').waitFor();
    await until(owner.page, PEER_PLAYS);
    expect(await owner.page.getByRole('button', { name: 'Hang up' }).isVisible()).toBe(true);
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    for (const { page, context, faults } of [owner, ann]) {
      await page.getByText('The call is over.').waitFor();
      expect(faults).toEqual([]);
      await context.close();
    }
  });

  it('ends the call when the service reports that the call does not exist', async () => {
    const { page, context, faults } = await open(await ring(), /^Join as owner/);
    await page.getByText('You are in the call.').waitFor();
    await send(page, { type: 'bye', call_id: STRANGER });
    await page.getByText('The call does not exist.').waitFor();
    expect(await page.getByRole('button', { name: 'Hang up' }).isVisible()).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('lets the page join later when the service is temporarily unavailable', async () => {
    const call = await ring();
    const ann = await open(call, /^Join as Ann/);
    await ann.page.getByText('You are in the call.').waitFor();
    const locked = await database.pool.connect();
    try {
      await locked.query('BEGIN');
      await locked.query('SELECT 1 FROM calls WHERE id = $1 FOR UPDATE', [call.id]);
      const { page, context, faults } = await open(call, /^Join as owner/);
      await until(page, `errors.includes('service_unavailable')`);
      await locked.query('ROLLBACK');
      await page.getByText('You are in the call.').waitFor();
      await page.getByRole('button', { name: 'Hang up' }).click();
      await page.getByText('You have left the call.').waitFor();
      expect(faults).toEqual([]);
      await context.close();
    } finally {
      locked.release(true);
    }
    await api.must(200, 'POST', `/openapi/calls/${call.id}/end`);
    await ann.page.getByText('The call is over.').waitFor();
    expect(ann.faults).toEqual([]);
    await ann.context.close();
  });
});
