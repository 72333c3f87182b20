import type { LookupFunction } from 'node:net';
import { ImapFlow } from 'imapflow';
import { PlatformError } from 'trunkline';
import { unauthorized, unavailable } from './errors.js';

const LIMITS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 90_000 };
/** An idle server may be silent for a long time. A new IDLE command shows that the connection still works. */
const IDLE_MS = { autoIdleDelay: 100, maxIdleTime: 60_000 };
const MAX_LITERAL_LENGTH = 40_000_000;

export interface Account {
  readonly url: string;
  /** Checks the address. Resolves with a lookup that returns the checked addresses. Called before each connection attempt. */
  readonly target: (url: string) => Promise<LookupFunction>;
  readonly user: string;
  readonly password: string;
  readonly mailbox: string;
}

/** Opens a read-only session, which marks no mail as seen. The session is in `sessions` until it ends. */
export async function openMailbox(
  account: Account,
  { idle, sessions }: { idle: boolean; sessions: Set<ImapFlow> },
): Promise<ImapFlow> {
  const { protocol, hostname, port } = new URL(account.url);
  const lookup = await account.target(account.url);
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    secure: protocol === 'tls:',
    tls: { lookup },
    auth: { user: account.user, pass: account.password },
    logger: false,
    disableAutoIdle: !idle,
    ...LIMITS_MS,
    ...IDLE_MS,
    maxLiteralSize: MAX_LITERAL_LENGTH,
  });
  // Every error also emits `close` or rejects the pending request.
  client.on('error', () => undefined);
  client.on('close', () => sessions.delete(client));
  sessions.add(client);
  try {
    await client.connect();
    await client.mailboxOpen(account.mailbox, { readOnly: true });
    return client;
  } catch (error) {
    const wasIn = client.usable;
    client.close();
    throw failureOf(error, wasIn);
  }
}

/** UIDs are only valid together with this value (RFC 9051 section 2.3.1.1). */
export function validityOf({ mailbox }: ImapFlow): string {
  if (mailbox === false) throw unavailable('no', 'The mailbox is closed.');
  return String(mailbox.uidValidity);
}

function failureOf(cause: unknown, wasIn: boolean): PlatformError {
  if (cause instanceof PlatformError) return cause;
  const { authenticationFailed, responseStatus, serverResponseCode, code } = Object(cause) as {
    readonly authenticationFailed?: boolean;
    readonly responseStatus?: string;
    readonly serverResponseCode?: string;
    readonly code?: string;
  };
  if (authenticationFailed === true && serverResponseCode !== 'UNAVAILABLE') return unauthorized('IMAP');
  if (wasIn && responseStatus === 'NO') {
    return new PlatformError(
      { kind: 'misconfigured' },
      {
        dispatched: 'no',
        message: 'The server refused to open the mailbox.',
        fix: 'Correct settings.mailbox.',
        ...(serverResponseCode === undefined ? {} : { code: serverResponseCode }),
      },
    );
  }
  return unavailable('no', "The IMAP server can't be reached.", code);
}
