import { Readable } from 'node:stream';
import type { ImapFlow } from 'imapflow';
import MailComposer from 'nodemailer/lib/mail-composer';
import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  type ConnectionConfig,
  type Envelope,
  type ExecuteContext,
  type InboundEvent,
  type Operation,
  type PartStep,
  type Plan,
  type Receipt,
  type RemoteIdentity,
  type RemoteMedia,
  remoteMessageId,
  remoteUserId,
} from 'trunkline';
import { capabilities, type EmailCredentials, type EmailSettings, isAddress } from './definition.js';
import { refused, unavailable } from './errors.js';
import { type Account, openMailbox, validityOf } from './imap.js';
import { decode, mailEnvelope } from './inbound.js';
import { type FoundMail, readMail } from './mail.js';
import { mailPayload, plan } from './outbound.js';
import { Reader } from './reader.js';
import { type Submission, submit, verify } from './submission.js';
import { answered, loadThread, saveThread, type Thread } from './threads.js';

/** One mailbox. Mails are read by IMAP and sent by SMTP. */
export class EmailAdapter implements Adapter {
  readonly #config: ConnectionConfig<EmailCredentials, EmailSettings>;
  readonly #host: AdapterHost;
  readonly #account: Account;
  readonly #submission: Submission;
  readonly #reader: Reader;
  readonly #sessions = new Set<ImapFlow>();
  readonly #life = new AbortController();

  constructor(config: ConnectionConfig<EmailCredentials, EmailSettings>, host: AdapterHost) {
    this.#config = config;
    this.#host = host;
    const { credentials, settings } = config;
    const login = { user: credentials.username || credentials.address, password: credentials.password };
    const target = (url: string) => host.assertTarget(url);
    this.#account = { ...login, target, url: settings.api_base_url, mailbox: settings.mailbox };
    this.#submission = { ...login, target, url: settings.smtp_url };
    this.#reader = new Reader(this.#account, this.#sessions, host, (mail) => this.#receive(mail));
  }

  /** Logs in to both servers, because a connection that can receive but not send is misconfigured. */
  async identify(): Promise<RemoteIdentity> {
    await this.#reader.open();
    await verify(this.#submission, this.#life.signal);
    const address = this.#config.credentials.address.toLowerCase();
    return {
      externalId: remoteUserId(address),
      handle: address,
      name: this.#config.settings.name || address,
    };
  }

  start(): Promise<void> {
    return this.#reader.start();
  }

  decode(envelope: Envelope): readonly InboundEvent[] {
    return decode(envelope);
  }

  capabilities(): Capabilities {
    return capabilities;
  }

  plan(operation: Operation, table: Capabilities): Plan {
    return plan(operation, table);
  }

  async execute({ payload }: PartStep, { to, key, signal }: ExecuteContext): Promise<Receipt> {
    const { address } = this.#config.credentials;
    if (!isAddress(to.chatId)) throw refused('recipient_gone', 'This is not an e-mail address.');
    if (signal.aborted) throw unavailable('no', 'The mail was aborted before it was sent.');
    const thread = await loadThread(this.#host, to.chatId);
    // The same id for every attempt, so that mail programs that compare ids show a mail that arrives twice only once.
    const id = `${key}@${address.split('@')[1] ?? ''}`;
    const { subject, mail } = await this.#compose(mailPayload.parse(payload), { to: to.chatId, id, thread });
    await submit(this.#submission, { from: address, to: to.chatId, mail, signal });
    await saveThread(this.#host, to.chatId, { subject, ids: [...(thread?.ids ?? []), id] }).catch(
      // The mail is sent. At worst, the next one starts a new thread.
      (error: unknown) => this.#host.log.warn('email.thread_not_saved', { error }),
    );
    return { remoteId: remoteMessageId(id) };
  }

  async openMedia(ref: string, signal: AbortSignal): Promise<RemoteMedia> {
    const [validity, uid = '', part = ''] = ref.split('/');
    const client = await openMailbox(this.#account, { idle: false, sessions: this.#sessions });
    const close = () => {
      signal.removeEventListener('abort', close);
      client.close();
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      const found =
        validityOf(client) === validity ? await client.download(uid, part, { uid: true }) : undefined;
      if (!found?.content) throw refused('media_unavailable', 'The mail is no longer in the mailbox.');
      const { meta, content } = found;
      content.once('close', close).once('error', close);
      return {
        body: content,
        ...(meta.filename === undefined ? {} : { name: meta.filename }),
        ...(meta.contentType === undefined ? {} : { mimeType: meta.contentType }),
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#life.abort();
    await this.#reader.stop();
  }

  /** A reply has the subject of its thread and references the mails of the thread. */
  async #compose(
    { text, files, replyTo, automatic }: ReturnType<typeof mailPayload.parse>,
    { to, id, thread }: { to: string; id: string; thread: Thread | undefined },
  ) {
    const { credentials, settings } = this.#config;
    const subject = thread?.subject ?? settings.subject;
    const before = [...(thread?.ids ?? []).filter((each) => each !== replyTo), ...(replyTo ? [replyTo] : [])];
    const inReplyTo = before.at(-1);
    const attachments = [];
    for (const { ref, mimeType } of files) {
      const { name, blob } = await this.#host.openMedia(ref);
      attachments.push({ filename: name, contentType: mimeType, content: Readable.from(chunksOf(blob)) });
    }
    const composer = new MailComposer({
      from: { name: settings.name, address: credentials.address },
      to: { name: '', address: to },
      subject: inReplyTo === undefined ? subject : answered(subject),
      messageId: `<${id}>`,
      ...(inReplyTo === undefined
        ? {}
        : { inReplyTo: `<${inReplyTo}>`, references: before.map((each) => `<${each}>`) }),
      // RFC 3834: automatic responders do not reply to this mail.
      headers: automatic ? { 'Auto-Submitted': 'auto-generated' } : {},
      text,
      attachments,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { subject, mail: composer.compile() };
  }

  async #receive(found: FoundMail): Promise<void> {
    const { dedupeKey, payload } = await readMail(found, this.#config.credentials.address);
    if (payload.kind === 'mail' && !payload.automatic && payload.from !== payload.own) {
      const known = await loadThread(this.#host, payload.from);
      const subject = payload.subject || known?.subject || this.#config.settings.subject;
      await saveThread(this.#host, payload.from, { subject, ids: [...(known?.ids ?? []), payload.id] });
    }
    await this.#host.receive(mailEnvelope(dedupeKey, payload));
  }
}

async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array> {
  yield* blob.stream();
}
