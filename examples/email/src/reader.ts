import type { ImapFlow } from 'imapflow';
import type { AdapterHost } from 'trunkline';
import { z } from 'zod';
import { healthOf } from './errors.js';
import { type Account, openMailbox, validityOf } from './imap.js';
import type { FoundMail } from './mail.js';

const RETRY_FIRST_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const DAY_MS = 86_400_000;
/** The text precedes the files, which are fetched separately. */
const MAX_BYTES = 1_000_000;
const STATE = 'mailbox';

/** The last mail that was read, and when the server received it. */
const reached = z.object({ validity: z.string(), uid: z.number().int(), at: z.iso.datetime() });
type Reached = z.infer<typeof reached>;

/** Reads every new mail once, in the order of the mailbox. After an interruption it resumes at the same position. */
export class Reader {
  readonly #account: Account;
  readonly #host: AdapterHost;
  readonly #receive: (mail: FoundMail) => Promise<void>;
  readonly #sessions: Set<ImapFlow>;
  #client: ImapFlow | undefined;
  #opening: Promise<ImapFlow> | undefined;
  #reading: Promise<void> | undefined;
  #again = false;
  #started = false;
  #stopped = false;
  #retryMs = RETRY_FIRST_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    account: Account,
    sessions: Set<ImapFlow>,
    host: AdapterHost,
    receive: (mail: FoundMail) => Promise<void>,
  ) {
    this.#account = account;
    this.#sessions = sessions;
    this.#host = host;
    this.#receive = receive;
  }

  open(): Promise<ImapFlow> {
    if (this.#client?.usable === true) return Promise.resolve(this.#client);
    this.#opening ??= this.#dial().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Resolves when the mails that arrived before the start are read. */
  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    try {
      await this.#follow();
    } catch (error) {
      this.#started = false;
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const session of this.#sessions) session.close();
    await this.#opening?.catch(() => undefined);
    await this.#reading?.catch(() => undefined);
  }

  async #dial(): Promise<ImapFlow> {
    const client = await openMailbox(this.#account, { idle: true, sessions: this.#sessions });
    this.#client = client;
    client.on('close', () => this.#lost(client));
    client.on('exists', () => this.#news(client));
    if (this.#stopped) client.close();
    return client;
  }

  async #follow(): Promise<void> {
    const client = await this.open();
    await this.#read(client);
    this.#retryMs = RETRY_FIRST_MS;
    this.#host.health({ code: 'ok', message: `Reading ${this.#account.mailbox} of ${this.#account.user}.` });
  }

  #news(client: ImapFlow): void {
    if (!this.#started || this.#stopped || client !== this.#client) return;
    this.#read(client).catch((error: unknown) => {
      if (client !== this.#client || this.#stopped) return;
      this.#host.log.error('email.mail_not_stored', { error });
      // Closing the session starts a retry from the mail that was not stored.
      client.close();
    });
  }

  #lost(client: ImapFlow): void {
    if (!this.#started || this.#stopped || client !== this.#client) return;
    this.#client = undefined;
    this.#host.health({ code: 'transient', message: 'The connection to the IMAP server ended.' });
    this.#retry();
  }

  #retry(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#reopen(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  async #reopen(): Promise<void> {
    if (this.#stopped) return;
    try {
      await this.#follow();
    } catch (error) {
      if (this.#stopped) return;
      this.#host.health(healthOf(error));
      this.#client?.close();
      this.#client = undefined;
      this.#retry();
    }
  }

  /** Runs one read at a time. A notification during a read causes another round. */
  async #read(client: ImapFlow): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#rounds(client).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #rounds(client: ImapFlow): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const from = await this.#reached(client);
      for (const uid of await this.#newer(client, from)) {
        if (this.#stopped) return;
        await this.#take(client, uid);
      }
    }
  }

  async #take(client: ImapFlow, uid: number): Promise<void> {
    const validity = validityOf(client);
    const query = { uid: true, internalDate: true, bodyStructure: true, source: { maxLength: MAX_BYTES } };
    const found = (await client.fetchOne(String(uid), query, { uid: true })) || undefined;
    const at = new Date(found?.internalDate ?? Date.now()).toISOString();
    // The mail may have been deleted in the meantime.
    if (found?.source !== undefined) {
      const { source, bodyStructure: structure } = found;
      await this.#receive({ source, structure, at, place: `${validity}/${uid}` });
    }
    await this.#save({ validity, uid, at });
  }

  async #reached(client: ImapFlow): Promise<Reached> {
    const stored = await this.#host.state.load(STATE);
    const known = stored === undefined ? undefined : reached.safeParse(JSON.parse(stored)).data;
    if (known !== undefined) return known;
    // Mails from before the connection are ignored.
    const uid = client.mailbox === false ? 0 : client.mailbox.uidNext - 1;
    const now = { validity: validityOf(client), uid, at: new Date().toISOString() };
    await this.#save(now);
    return now;
  }

  /**
   * The UIDs after the last one that was read. They are invalid after the server renumbered its mails. In that case all
   * mails since the day before are read again, and mails that are already stored change nothing.
   */
  async #newer(client: ImapFlow, { validity, uid, at }: Reached): Promise<readonly number[]> {
    const same = validity === validityOf(client);
    const since = new Date(Date.parse(at) - DAY_MS);
    const found = await client.search(same ? { uid: `${uid + 1}:*` } : { since }, { uid: true });
    return (found || []).filter((each) => !same || each > uid).sort((a, b) => a - b);
  }

  #save(place: Reached): Promise<void> {
    return this.#host.state.save(STATE, JSON.stringify(place));
  }
}
