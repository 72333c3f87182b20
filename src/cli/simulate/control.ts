import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { FaultRule, SynchronousSimulator } from '../../contract/simulation/index.js';

const times = z.int().min(1).max(1_000_000).optional();
const wait = z.number().min(0).max(86_400_000);
const fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rate_limited'),
    retryAfterMs: wait,
    shape: z.enum(['native', 'seconds', 'float', 'milliseconds', 'date', 'absent']).optional(),
    scope: z.enum(['chat', 'account']).optional(),
  }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    written: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('refused'), code: z.int() }),
  z.strictObject({
    kind: z.enum(['drop_before', 'drop_during', 'drop_after', 'revoked', 'reorder', 'lose']),
  }),
  z.strictObject({ kind: z.literal('delay'), ms: wait }),
  z.strictObject({ kind: z.literal('redirect'), to: z.url() }),
  z.strictObject({ kind: z.literal('duplicate'), times: z.int().min(2).max(100) }),
]);
const rule = z.strictObject({ fault, call: z.string().optional(), chatId: z.string().optional(), times });
const post = z.strictObject({
  chatId: z.string(),
  sender: z.string().default('Ada'),
  text: z.string(),
  replyToId: z.string().optional(),
});
const change = z.strictObject({ chatId: z.string(), messageId: z.string(), text: z.string() });
const removal = z.strictObject({ chatId: z.string(), messageId: z.string() });
const webhook = z.strictObject({ url: z.url() });
/** Something that happens on the platform at once, instead of to the next request. */
const incident = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['revoke_token', 'expire_media', 'disconnect', 'forget_sessions']) }),
  z.strictObject({ kind: z.literal('migrate'), chatId: z.string() }),
  z.strictObject({ kind: z.literal('close_gateway'), code: z.int().min(1000).max(4999) }),
  z.strictObject({ kind: z.literal('freeze'), frozen: z.boolean() }),
]);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
type Route = (body: unknown, query: URLSearchParams) => Answer | Promise<Answer>;

const ok = (body: unknown): Answer => ({ status: 200, body });
const MAX_BYTES = 1024 * 1024;

/** A small HTTP API on the loopback address. With it, a test in any language can act as users and inject faults. */
export class ControlServer {
  readonly #simulator: SynchronousSimulator;
  readonly #server: Server;
  readonly #routes: Readonly<Record<string, Route>>;

  constructor(simulator: SynchronousSimulator) {
    this.#simulator = simulator;
    this.#routes = {
      'GET /account': () => ok(simulator.account()),
      'GET /chats': () => ok(simulator.chats()),
      'GET /ledger': (_body, query) =>
        ok({
          counts: simulator.ledger.counts(),
          entries: simulator.ledger.entries(query.get('call') ?? undefined).slice(-1_000),
        }),
      'DELETE /ledger': () => ok(simulator.ledger.clear() ?? {}),
      'GET /messages': (_body, query) => ok(simulator.messages(query.get('chatId') ?? '')),
      'POST /messages': async (body) => ok({ id: await simulator.post(given(post, body)) }),
      'PATCH /messages': async (body) => {
        const { chatId, messageId, text } = change.parse(body);
        return this.#optional('edits', simulator.edit, chatId, messageId, text);
      },
      'DELETE /messages': async (body) => {
        const { chatId, messageId } = removal.parse(body);
        return this.#optional('deletions', simulator.remove, chatId, messageId);
      },
      'GET /faults': () => ok(simulator.faults.waiting()),
      'POST /faults': (body) => ok(simulator.faults.set(given(rule, body) as FaultRule) ?? {}),
      'DELETE /faults': () => ok(simulator.faults.clear() ?? {}),
      'POST /incidents': (body) => this.#incident(incident.parse(body)),
      'PUT /webhook': (body) => {
        const { url } = webhook.parse(body);
        return this.#optional('webhooks that are set from outside', simulator.setWebhook, url);
      },
    };
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #incident(what: z.infer<typeof incident>): Promise<Answer> {
    const simulator = this.#simulator;
    switch (what.kind) {
      case 'revoke_token':
        if (simulator.revokeToken === undefined) return missing('tokens to revoke');
        await simulator.revokeToken();
        return ok(simulator.account());
      case 'migrate':
        return simulator.migrate === undefined
          ? missing('chats that move')
          : ok({ chatId: simulator.migrate(what.chatId) });
      case 'close_gateway':
        return this.#optional('gateway', simulator.closeGateway, what.code);
      case 'freeze':
        return this.#optional('sockets', simulator.freeze, what.frozen);
      case 'expire_media':
        return this.#optional('links that end', simulator.expireMedia);
      case 'disconnect':
        return this.#optional('connections to cut', simulator.disconnect);
      case 'forget_sessions':
        return this.#optional('sessions', simulator.forgetSessions);
    }
  }

  /** Calls a method that not every platform has. */
  async #optional<Args extends unknown[]>(
    what: string,
    method: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ): Promise<Answer> {
    if (method === undefined) return missing(what);
    await method.apply(this.#simulator, args);
    return ok({});
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.#answer(request).catch(refusal);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://control');
    const route = this.#routes[`${request.method} ${url.pathname}`];
    if (route === undefined)
      return { status: 404, body: { error: 'There is no such address.', routes: Object.keys(this.#routes) } };
    return route(await bodyOf(request), url.searchParams);
  }
}

const missing = (what: string): Answer => ({ status: 409, body: { error: `This platform has no ${what}.` } });

/** Parses a body and removes undefined fields, so that optional fields are absent. */
function given<T extends object>(schema: z.ZodType<T>, body: unknown) {
  const parsed = schema.parse(body);
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new Error('The body is longer than a megabyte.');
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

function refusal(error: unknown): Answer {
  const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
  return { status: 400, body: { error: problem } };
}
