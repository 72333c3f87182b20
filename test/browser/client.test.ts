import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientBundle } from '../support/browser-bundle.js';
import { hasChromium, startChromium, type Visitor, visit } from '../support/chromium.js';
import { type LoopbackServer, loopbackReceiver, type ReceivedRequest } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const ELSEWHERE = 'http://127.0.0.1:1';

describe.skipIf(!hasChromium())('the client library in a page', () => {
  let browser: Browser;
  let service: Service;
  let bundle: string;
  let receiver: LoopbackServer & { readonly received: ReceivedRequest[] };
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    receiver = await loopbackReceiver((_request, response) => response.end());
    [service, browser, bundle] = await Promise.all([startService(), startChromium(), clientBundle()]);
    visitor = await visit(browser, [service.url, ELSEWHERE]);
    page = await openPage(visitor, service.url);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await receiver?.close();
  });

  /** A page of this origin that has the library, and a client named `client`. */
  async function openPage({ context }: Visitor, origin: string): Promise<Page> {
    const own = `${origin}/page-of-the-test`;
    const html = '<!doctype html><link rel="icon" href="data:,"><title>Page</title>';
    await context.route(own, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    const opened = await context.newPage();
    await opened.goto(own);
    await opened.addScriptTag({ content: bundle });
    const options = JSON.stringify({ baseUrl: service.url, apiKey: service.key, retries: 0 });
    await opened.evaluate(`globalThis.client = new trunkline.Trunkline(${options})`);
    return opened;
  }

  /** Runs the body of an async function in the page. The body can read `input`. */
  const run = <T>(body: string, input: unknown = null, where = page) =>
    where.evaluate<T>(`(async (input) => { ${body} })(${JSON.stringify(input)})`);

  it('sends a message once when its idempotency key is used again', async () => {
    const seen = await run<{ ids: string[]; texts: string[] }>(`
      const { id } = await client.conversations.create({ participant_ids: [], title: 'From a page' });
      const say = () => client.messages.send({ conversation_id: id, text: 'Hi' }, { idempotencyKey: 'page-1' });
      const ids = [(await say()).id, (await say()).id];
      const { data } = await client.messages.list({ conversation_id: id }).page();
      return { ids, texts: data.map(({ text }) => text) };`);
    expect(seen.ids[0]).toBe(seen.ids[1]);
    expect(seen.texts).toEqual(['Hi']);
  });

  it('reads a list page by page', async () => {
    const texts = await run<string[]>(`
      const { id } = await client.conversations.create({ participant_ids: [], title: 'A list' });
      for (const text of ['1', '2', '3', '4', '5']) await client.messages.send({ conversation_id: id, text });
      const texts = [];
      const list = client.messages.list({ conversation_id: id, order: 'asc', limit: 2 });
      for await (const { text } of list) texts.push(text);
      return texts;`);
    expect(texts).toEqual(['1', '2', '3', '4', '5']);
  });

  it('sends a file', async () => {
    const name = await run(`
      const file = new Blob(['Thank you.'], { type: 'text/plain' });
      return (await client.attachments.create({ file, name: 'thanks.txt' })).name;`);
    expect(name).toBe('thanks.txt');
  });

  it('follows events', async () => {
    const text = await run(`
      const { id } = await client.conversations.create({ participant_ids: [], title: 'A stream' });
      const say = () => client.messages.send({ conversation_id: id, text: 'Streamed' });
      // The stream shows only what happens after it opened.
      const again = setInterval(say, 300);
      try {
        for await (const event of client.events.stream({ events: ['message.created'] })) {
          if (event.data.conversation_id === id) return event.data.text;
        }
      } finally {
        clearInterval(again);
      }`);
    expect(text).toBe('Streamed');
  });

  it('throws a TrunklineError when the service refuses a request', async () => {
    const error = await run(`
      const unknown = '019b76da-a800-7000-8000-000000000000';
      const error = await client.messages.get(unknown).catch((thrown) => thrown);
      return { ours: error instanceof trunkline.TrunklineError, status: error.status, code: error.code };`);
    expect(error).toEqual({ ours: true, status: 404, code: 'not_found' });
    visitor.forgive(/status of 404/);
  });

  it('accepts only webhooks that the service signed', async () => {
    const hook = await service.client().must(201, 'POST', '/api/webhooks', {
      url: receiver.url,
      events: ['messages'],
      secret: SECRET,
    });
    await service.client().must(200, 'POST', `/api/webhooks/${hook.id}/test`);
    const [received] = receiver.received;
    const seen = await run<unknown[]>(
      `
      const { body, headers, secret } = input;
      const verify = (text) => trunkline.verifyWebhook(text, headers, secret).then(
        ({ event }) => event,
        ({ code }) => code,
      );
      return [await verify(body), await verify(body + ' ')];`,
      { body: received?.body, headers: received?.headers, secret: SECRET },
    );
    expect(seen).toEqual([JSON.parse(received?.body ?? '{}').event, 'invalid_signature']);
  });

  it('fails with a network error in a page of another origin, because CORS blocks it', async () => {
    const foreign = await openPage(visitor, ELSEWHERE);
    const error = await run(
      'return client.status().then(() => "read", ({ status, code }) => ({ status, code }));',
      null,
      foreign,
    );
    expect(error).toEqual({ status: 0, code: 'network_error' });
    visitor.forgive(/blocked by CORS policy/);
    visitor.forgive(/ERR_FAILED/);
  });

  it('causes no error or warning in the browser', () => {
    expect(visitor.faults).toEqual([]);
  });
});
