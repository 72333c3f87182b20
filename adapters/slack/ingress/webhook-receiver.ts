import type { App, Receiver } from '@slack/bolt';
import type { AdapterHost, JsonObject } from '../../../src/contract/index.js';
import { clock } from '../../../src/contract/index.js';
import type { Intake } from './intake.js';
import { isAuthentic } from './signature.js';

/** Bolt's receiver for the Events API over web-standard requests: verifies, stores, then acknowledges. */
export class WebhookReceiver implements Receiver {
  readonly #signingSecret: string;
  readonly #intake: Intake;
  readonly #host: AdapterHost;
  #app: App | undefined;

  constructor(signingSecret: string, intake: Intake, host: AdapterHost) {
    this.#signingSecret = signingSecret;
    this.#intake = intake;
    this.#host = host;
  }

  init(app: App): void {
    this.#app = app;
  }

  async start(): Promise<void> {
    return undefined;
  }

  async stop(): Promise<void> {
    return undefined;
  }

  async handle(request: Request): Promise<Response> {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const raw = Buffer.from(await request.arrayBuffer());
    const contentType = request.headers.get('content-type') ?? '';
    // An unsigned body is not parsed, because parsing takes longer than checking the signature.
    if (!isAuthentic(this.#signingSecret, request.headers, raw, clock.now())) {
      return new Response(null, { status: isCertificateCheck(raw, contentType) ? 200 : 401 });
    }
    const body = parseBody(raw, contentType);
    if (body.ssl_check === '1') return new Response(null, { status: 200 });
    if (body.type === 'url_verification') return Response.json({ challenge: body.challenge ?? '' });
    const retries = Number(request.headers.get('x-slack-retry-num') ?? 0);
    return this.#store(body, Number.isInteger(retries) ? retries : 0);
  }

  /** Every signed request is stored and gets a 200. Otherwise Slack would disable the app's events. */
  async #store(body: JsonObject, retries: number): Promise<Response> {
    if (this.#app === undefined) return new Response(null, { status: 503 });
    try {
      await this.#intake.take(body, this.#app, retries);
      return new Response(null, { status: 200 });
    } catch (error) {
      this.#host.log.warn('event.not_stored', { error: error instanceof Error ? error.message : 'unknown' });
      return new Response(null, { status: 503 });
    }
  }
}

const CERTIFICATE_CHECK_BYTES = 1_024;

/** The only request that Slack does not sign (docs.slack.dev/interactivity/implementing-slash-commands). */
function isCertificateCheck(raw: Buffer, contentType: string): boolean {
  return raw.length <= CERTIFICATE_CHECK_BYTES && parseBody(raw, contentType).ssl_check === '1';
}

/** Events are JSON. Commands and interactions are forms, the latter with JSON in `payload`. */
function parseBody(raw: Buffer, contentType: string): JsonObject {
  const text = raw.toString('utf8');
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return parseObject(text);
  const form = Object.fromEntries(new URLSearchParams(text));
  return form.payload === undefined ? form : parseObject(form.payload);
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    return { unreadable: text.slice(0, 2_000) };
  }
  return { unreadable: text.slice(0, 2_000) };
}
