import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const TOLERANCE_S = 300;

interface Payload {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * A webhook receiver as a client would write it. It verifies both signatures of every request with its own code, and counts
 * each event once.
 */
export class WebhookReceiver {
  secret = '';
  requests = 0;
  /** Names of headers that did not match a request. */
  readonly refused: string[] = [];
  readonly #events = new Map<string, Payload>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#receive(request).then((status) => response.writeHead(status).end());
    });
  }

  /** Resolves with the URL to register. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  get distinct(): number {
    return this.#events.size;
  }

  /** Number of distinct events by name. */
  counts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { event } of this.#events.values()) counts[event] = (counts[event] ?? 0) + 1;
    return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
  }

  async #receive(request: IncomingMessage): Promise<number> {
    const body = await buffer(request);
    this.requests += 1;
    const wrong = wrongSignatures(body, request.headers, this.secret);
    if (wrong.length > 0) {
      this.refused.push(...wrong);
      return 401;
    }
    const payload = JSON.parse(body.toString()) as Payload;
    if (payload.id !== request.headers['webhook-id']) this.refused.push('webhook-id');
    this.#events.set(payload.id, payload);
    return 204;
  }
}

/** Names of the signature headers that do not match the body. */
export function wrongSignatures(body: Buffer, headers: IncomingHttpHeaders, secret: string): string[] {
  const text = (name: string) => String(headers[name] ?? '');
  const own = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(text('x-service-signature'));
  const ownDigest = createHmac('sha256', secret).update(`${own?.[1]}.`).update(body).digest('hex');
  const time = text('webhook-timestamp');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = createHmac('sha256', key)
    .update(`${text('webhook-id')}.${time}.`)
    .update(body);
  const wrong: string[] = [];
  if (!same(own?.[2] ?? '', ownDigest) || !recent(own?.[1])) wrong.push('X-Service-Signature');
  if (!same(text('webhook-signature'), `v1,${signed.digest('base64')}`) || !recent(time))
    wrong.push('webhook-signature');
  return wrong;
}

function recent(time: string | undefined): boolean {
  return Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_S;
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
