import { randomBytes } from 'node:crypto';
import type { MessageDirection, MessageStatus } from 'twilio/lib/rest/api/v2010/account/message.js';
import type { Outlet, SimulatedFile, SimulatorOptions } from '../../../src/contract/simulation/index.js';
import { segmentation } from '../segments.js';
import type { StoredMessage } from './resource.js';
import { consentChange, type RefusalCode, refusalOf, type Senders } from './rules.js';
import { SenderQueue } from './sender-queue.js';
import { messagesIn } from './twiml.js';
import { WebhookSender } from './webhook-sender.js';

const CARRIER_MS = 20;

export interface MessageServiceOptions extends Senders {
  readonly accountSid: string;
  readonly authToken: () => string;
  /** Sends webhooks to the account's server. */
  readonly outlet: Outlet<() => void>;
  readonly limits: NonNullable<SimulatorOptions['limits']>;
  readonly limitsFaster?: number | undefined;
}

/** Accepts the account's messages, sends them at the sender's pace and reports their status. */
export class MessageService {
  /** Oldest first. */
  readonly messages: StoredMessage[] = [];
  readonly #bySid = new Map<string, StoredMessage>();
  readonly #byPerson = new Map<string, StoredMessage[]>();
  readonly #options: MessageServiceOptions;
  readonly #queue: SenderQueue;
  readonly #webhooks: WebhookSender;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #optedOut = new Set<string>();
  readonly #failing = new Map<string, number>();
  webhookUrl: string | undefined;

  constructor(options: MessageServiceOptions) {
    this.#options = options;
    this.#queue = new SenderQueue(options.limits, options.limitsFaster);
    this.#webhooks = new WebhookSender(options.authToken);
  }

  get number(): string {
    return this.#options.number;
  }

  /** Handles a create call. Returns the new message, or Twilio's code of the refusal. */
  accept(form: URLSearchParams): StoredMessage | RefusalCode {
    const refused = refusalOf(form, this.#options);
    if (refused !== undefined) return refused;
    const to = form.get('To') ?? '';
    if (this.#optedOut.has(to)) return 21610;
    const { segments } = segmentation(form.get('Body') ?? '');
    const delay = this.#queue.reserve(segments, Date.now());
    const service = form.get('MessagingServiceSid');
    if (delay === undefined && service === null) return 21611;
    const message = this.#store({
      direction: 'outbound-api',
      from: form.get('From'),
      to,
      body: form.get('Body') ?? '',
      mediaUrls: form.getAll('MediaUrl'),
      messagingServiceSid: service,
      statusCallback: form.get('StatusCallback') ?? undefined,
      status: service === null ? 'queued' : 'accepted',
    });
    if (delay === undefined) this.#later(0, () => this.#report(message, 'failed', 30001));
    else this.#send(message, delay);
    return message;
  }

  /** A person writes to the account's number. */
  incoming(from: string, text: string, files: readonly SimulatedFile[] = []): StoredMessage {
    const message = this.#store({
      direction: 'inbound',
      from,
      to: this.#options.number,
      body: text,
      files: new Map(files.map((file) => [`ME${randomBytes(16).toString('hex')}`, file])),
      // The number belongs to the pool of the service.
      messagingServiceSid: this.#options.messagingServiceSid,
      status: 'received',
    });
    const change = consentChange(text);
    if (change !== undefined) this.#changeConsent(from, change);
    const url = this.webhookUrl;
    if (url !== undefined) this.#ask(url, message);
    return message;
  }

  /** Makes later messages to this number undelivered with Twilio's code. Undefined ends that. */
  failDelivery(to: string, code: number | undefined): void {
    if (code === undefined) this.#failing.delete(to);
    else this.#failing.set(to, code);
  }

  find(sid: string): StoredMessage | undefined {
    return this.#bySid.get(sid);
  }

  with(person: string): readonly StoredMessage[] {
    return this.#byPerson.get(person) ?? [];
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#webhooks.stop();
  }

  #store(
    fields: Pick<StoredMessage, 'from' | 'to' | 'body' | 'status'> & {
      direction: MessageDirection;
      messagingServiceSid?: string | null;
      statusCallback?: string | undefined;
      files?: StoredMessage['files'];
      mediaUrls?: readonly string[];
    },
  ): StoredMessage {
    const now = Date.now();
    const message: StoredMessage = {
      messagingServiceSid: null,
      statusCallback: undefined,
      files: new Map(),
      mediaUrls: [],
      ...fields,
      sid: `SM${randomBytes(16).toString('hex')}`,
      segments: segmentation(fields.body).segments,
      createdAt: now,
      updatedAt: now,
      sentAt: fields.direction === 'inbound' ? now : null,
      errorCode: null,
    };
    this.messages.push(message);
    this.#bySid.set(message.sid, message);
    const person = message.direction === 'inbound' ? (message.from ?? '') : message.to;
    const chat = this.#byPerson.get(person);
    if (chat === undefined) this.#byPerson.set(person, [message]);
    else chat.push(message);
    return message;
  }

  #send(message: StoredMessage, delayMs: number): void {
    this.#later(0, () => {
      message.from ??= this.#options.number;
      this.#report(message, 'queued');
    });
    this.#later(delayMs + CARRIER_MS, () => {
      message.sentAt = Date.now();
      this.#report(message, 'sent');
    });
    this.#later(delayMs + 2 * CARRIER_MS, () => {
      const code = this.#failing.get(message.to);
      this.#report(message, code === undefined ? 'delivered' : 'undelivered', code);
    });
  }

  /** Twilio itself confirms STOP and START. */
  #changeConsent(person: string, change: 'opted_out' | 'opted_in'): void {
    if (change === 'opted_out') this.#optedOut.add(person);
    else this.#optedOut.delete(person);
    this.#store({
      direction: 'outbound-reply',
      from: this.#options.number,
      to: person,
      body:
        change === 'opted_out'
          ? 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.'
          : 'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.',
      status: 'delivered',
    });
  }

  #report(message: StoredMessage, status: MessageStatus, errorCode?: number): void {
    message.status = status;
    message.errorCode = errorCode ?? null;
    message.updatedAt = Date.now();
    if (message.statusCallback === undefined) return;
    this.#tell(message.statusCallback, message.to, {
      ...this.#commonFields(message),
      SmsStatus: status,
      MessageStatus: status,
      ...(message.messagingServiceSid === null ? {} : { MessagingServiceSid: message.messagingServiceSid }),
      ...(errorCode === undefined ? {} : { ErrorCode: String(errorCode) }),
    });
  }

  /** Sends the messages in the webhook response of the account's server. */
  #ask(url: string, message: StoredMessage): void {
    const fields = this.#incomingFields(message);
    const person = message.from ?? '';
    this.#options.outlet.push(
      () => void this.#webhooks.send(url, fields).then((answer) => this.#reply(person, answer)),
      person,
    );
  }

  #reply(person: string, answer = ''): void {
    for (const { to = person, from = this.#options.number, body, mediaUrls } of messagesIn(answer)) {
      if (this.#optedOut.has(to) || (body === '' && mediaUrls.length === 0)) continue;
      const message = this.#store({
        direction: 'outbound-reply',
        from,
        to,
        body,
        mediaUrls,
        status: 'queued',
      });
      this.#send(message, this.#queue.reserve(message.segments, Date.now()) ?? 0);
    }
  }

  /** Deletes a message. Returns whether it existed. */
  remove(sid: string): boolean {
    const message = this.#bySid.get(sid);
    if (message === undefined) return false;
    this.#bySid.delete(sid);
    this.messages.splice(this.messages.indexOf(message), 1);
    return true;
  }

  #tell(url: string, person: string, fields: Record<string, string>): void {
    this.#options.outlet.push(() => void this.#webhooks.send(url, fields), person);
  }

  #incomingFields(message: StoredMessage): Record<string, string> {
    return {
      ...this.#commonFields(message),
      SmsMessageSid: message.sid,
      SmsStatus: 'received',
      Body: message.body,
      NumMedia: String(message.files.size),
      ...this.#mediaFields(message),
      MessagingServiceSid: this.#options.messagingServiceSid,
      NumSegments: String(message.segments),
      FromCountry: 'US',
      ToCountry: 'US',
    };
  }

  #mediaFields({ sid, files }: StoredMessage): Record<string, string> {
    const account = `https://api.twilio.com/2010-04-01/Accounts/${this.#options.accountSid}`;
    const fields = [...files].flatMap(([id, { mimeType }], index) => [
      [`MediaUrl${index}`, `${account}/Messages/${sid}/Media/${id}`],
      [`MediaContentType${index}`, mimeType],
    ]);
    return Object.fromEntries(fields);
  }

  #commonFields(message: StoredMessage): Record<string, string> {
    return {
      AccountSid: this.#options.accountSid,
      ApiVersion: '2010-04-01',
      MessageSid: message.sid,
      SmsSid: message.sid,
      From: message.from ?? '',
      To: message.to,
    };
  }

  #later(delayMs: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, delayMs);
    this.#timers.add(timer.unref());
  }
}
