import twilio, { type Twilio } from 'twilio';
import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  type Envelope,
  type ExecuteContext,
  type InboundEvent,
  type LookupQuery,
  type LookupResult,
  type Operation,
  type PartStep,
  type Plan,
  PlatformError,
  type Receipt,
  type RemoteIdentity,
  type RemoteMedia,
  remoteMessageId,
  remoteUserId,
  type WriteRate,
} from '../../src/contract/index.js';
import { smsCapabilities } from './capabilities.js';
import { answerError, notStarted, unreadableAnswer, unsupported } from './client/errors.js';
import { openFile } from './client/files.js';
import { guardedClient } from './client/transport.js';
import type { SmsConfig } from './config.js';
import { decodeSms } from './inbound/decode.js';
import { Backfill } from './ingress/backfill.js';
import { callbackUrl, handleWebhook } from './ingress/webhook.js';
import { findLostMessage } from './outbound/lookup.js';
import { planSms } from './outbound/plan.js';

/** Twilio's error code of a suspended account. A closed account can still read its own state. */
const SUSPENDED = 30002;
const ended: ReadonlySet<string> = new Set(['suspended', 'closed']);

/** A live connection of one Twilio sender: a phone number or a messaging service. */
export class SmsAdapter implements Adapter {
  readonly #config: SmsConfig;
  readonly #host: AdapterHost;
  readonly #missed: Backfill;

  constructor(config: SmsConfig, host: AdapterHost) {
    this.#config = config;
    this.#host = host;
    this.#missed = new Backfill({
      host,
      settings: config.settings,
      client: (signal) => this.#client(signal),
    });
  }

  async identify(): Promise<RemoteIdentity> {
    const { account_sid } = this.#config.credentials;
    const { from, messaging_service_sid } = this.#config.settings;
    const account = await asked(() => this.#client().api.v2010.accounts(account_sid).fetch());
    if (ended.has(account.status)) throw answerError({ status: 403, code: SUSPENDED });
    const handle = from ?? messaging_service_sid;
    return {
      externalId: remoteUserId(account.sid ?? account_sid),
      ...(handle === undefined ? {} : { handle }),
      name: account.friendlyName ?? account_sid,
    };
  }

  /** Twilio sends webhooks, so nothing is opened. Missed messages are fetched. */
  async start(): Promise<void> {
    this.#missed.start();
    this.#host.health({ code: 'ok', message: 'Ready for webhooks from Twilio.' });
  }

  handle(request: Request): Promise<Response> {
    return handleWebhook(request, this.#config.credentials.auth_token, this.#host, {
      before: () => this.#missed.caughtUp(),
      stored: (key) => this.#missed.knows(key),
      failed: () => this.#missed.failed(),
    });
  }

  decode(envelope: Envelope): readonly InboundEvent[] {
    return decodeSms(envelope, this.#config.settings.from);
  }

  capabilities(): Capabilities {
    return smsCapabilities;
  }

  plan(operation: Operation, capabilities: Capabilities): Plan {
    return planSms(operation, capabilities);
  }

  /** Each segment occupies the sender. Twilio has no limit per recipient. */
  rate({ payload }: PartStep): WriteRate {
    return { cost: typeof payload.segments === 'number' ? payload.segments : 1, buckets: [] };
  }

  async execute(step: PartStep, { to, reference, signal }: ExecuteContext): Promise<Receipt> {
    const { body, mediaUrl } = step.payload;
    if (step.action !== 'create' || typeof body !== 'string') throw unsupported(step.action);
    if (signal.aborted) throw notStarted();
    const { from, messaging_service_sid } = this.#config.settings;
    const message = await asked(() =>
      this.#client(signal).messages.create({
        to: to.chatId,
        ...(body === '' ? {} : { body }),
        ...(Array.isArray(mediaUrl) ? { mediaUrl: mediaUrl.map(String) } : {}),
        statusCallback: callbackUrl(this.#host.webhookUrl, reference),
        ...(messaging_service_sid === undefined ? {} : { messagingServiceSid: messaging_service_sid }),
        ...(from === undefined ? {} : { from }),
      }),
    );
    if (typeof message.sid !== 'string') throw unreadableAnswer();
    return { remoteId: remoteMessageId(message.sid) };
  }

  lookup(query: LookupQuery): Promise<LookupResult> {
    return asked(() => findLostMessage(this.#client().messages, this.#config.settings, query));
  }

  openMedia(ref: string, signal: AbortSignal): Promise<RemoteMedia> {
    return openFile(this.#config, this.#host, ref, signal);
  }

  stop(): Promise<void> {
    return this.#missed.stop();
  }

  /** Creating the SDK's client takes microseconds. A new one per call gives each call its own signal. */
  #client(signal?: AbortSignal): Twilio {
    const { account_sid, auth_token } = this.#config.credentials;
    const httpClient = guardedClient(this.#host, this.#config.settings.api_base_url, signal);
    return twilio(account_sid, auth_token, { httpClient, autoRetry: false });
  }
}

/**
 * Maps errors of the SDK. Error responses and broken connections are PlatformErrors already, so the rest are responses
 * that the SDK cannot parse.
 */
async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof PlatformError ? error : unreadableAnswer(error);
  }
}
