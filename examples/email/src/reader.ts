import type { ImapFlow } from 'imapflow';
import type { AdapterHost } from 'trunkline';
import { z } from 'zod';
import { healthOf } from './errors.js';
import { type Account, openMailbox, validityOf } from './imap.js';
import type { FoundMail } from './mail.js';

const RETRY_FIRST_MS = 1_000;
const RETRY_LONGEST_MS = 60_000;
const DAY_MS = 86_400_000;
/** Text comes before files; those are fetched by themselves. */
const MAX_BYTES = 1_000_000;
const STATE = 'mailbox';

/** Up to where the mailbox has been read, and when that mail had come. */
const reached = z.object({ validity: z.string(), uid: z.number().int(), at: z.iso.datetime() });
type Reached = z.infer<typeof reached>;

/** Reads every new mail once, in the order of the mailbox, and goes on where it was after an interruption. */
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

  /** Resolves when what came in meanwhile has been read. */
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
      // Its end starts another try, from the mail that was not stored.
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
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_LONGEST_MS);
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

  /** One at a time; what is heard of meanwhile makes another round. */
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
    // It may have been deleted since.
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
   * UIDs after the one that was reached. After the server has renumbered its mails they say nothing: then everything
   * since the day before is read again, and what is known already is stored once all the same.
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
