import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type MimeNode from 'nodemailer/lib/mime-node';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Dispatched, PlatformError } from 'trunkline';
import { reasonOf, refused, unauthorized, unavailable } from './errors.js';

const LIMITS_MS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
};

export interface Submission {
  readonly url: string;
  /** Checks the address. Resolves with a lookup that returns the checked addresses. Called before each connection attempt. */
  readonly target: (url: string) => Promise<LookupFunction>;
  readonly user: string;
  readonly password: string;
}

type Failure = NonNullable<Parameters<Parameters<SMTPConnection['login']>[1]>[0]>;

/** Logs in and disconnects. */
export async function verify(submission: Submission, signal: AbortSignal): Promise<void> {
  const connection = await open(submission, signal);
  connection.quit();
}

/** Sends one mail on its own connection. */
export async function submit(
  submission: Submission,
  { from, to, mail, signal }: { from: string; to: string; mail: MimeNode; signal: AbortSignal },
): Promise<void> {
  const connection = await open(submission, signal);
  let dispatched: Dispatched = 'no';
  // The stream is read only after the server has asked for the mail.
  async function* body() {
    dispatched = 'unknown';
    yield* mail.createReadStream();
  }
  try {
    await settled(connection, signal, (done) => {
      connection.send({ from, to: [to] }, Readable.from(body(), { objectMode: false }), done);
    });
  } catch (error) {
    connection.close();
    throw failureOf(error, dispatched);
  }
  connection.quit();
}

async function open(
  { url, target, user, password }: Submission,
  signal: AbortSignal,
): Promise<SMTPConnection> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  // Nodemailer resolves names itself, so it gets a checked address, and the name for the certificate.
  const pinned = isIP(host) === 0 ? await firstAddress(host, await target(url)) : host;
  if (isIP(host) !== 0) await target(url);
  const connection = new SMTPConnection({
    host: pinned,
    port: Number(port),
    secure: protocol === 'tls:',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...LIMITS_MS,
  });
  try {
    await settled(connection, signal, (done) => connection.connect(done));
    await settled(connection, signal, (done) => connection.login({ user, pass: password }, done));
    return connection;
  } catch (error) {
    connection.close();
    throw failureOf(error, 'no');
  }
}

function firstAddress(host: string, lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) =>
    lookup(host, {}, (error, address) => {
      if (error !== null) reject(error);
      else resolve(String(address));
    }),
  );
}

/** Resolves when the server has responded. Rejects on an error of the connection and when the signal aborts. */
function settled(
  connection: SMTPConnection,
  signal: AbortSignal,
  ask: (done: (error?: Failure | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('The write was aborted.'));
    if (signal.aborted) return late();
    signal.addEventListener('abort', late, { once: true });
    const done = (error?: Failure | null) => {
      signal.removeEventListener('abort', late);
      if (error) reject(error);
      else resolve();
    };
    connection.once('error', done);
    ask((error) => {
      connection.removeListener('error', done);
      // Later events of this connection are ignored.
      connection.on('error', () => undefined);
      done(error);
    });
  });
}

/** An error response means that the server did not accept the mail. Without one, `dispatched` says whether it is unknown. */
function failureOf(cause: unknown, dispatched: Dispatched): PlatformError {
  if (cause instanceof PlatformError) return cause;
  const { code, responseCode, response = '' } = Object(cause) as Partial<Failure>;
  if (responseCode === undefined || responseCode < 400) {
    return unavailable(dispatched, "The SMTP server can't be reached, or closed the connection.", code);
  }
  if (code === 'EAUTH' && responseCode >= 500) return unauthorized('SMTP');
  const said = response.slice(0, 200);
  if (responseCode < 500) return unavailable('no', 'The SMTP server refused the mail temporarily.', said);
  const status = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  if (status !== undefined) return refused(reasonOf(status), 'The SMTP server refused the mail.', said);
  const reasons = {
    550: 'recipient_gone',
    551: 'recipient_gone',
    552: 'too_large',
    553: 'recipient_gone',
  } as const;
  const reason = reasons[responseCode as keyof typeof reasons] ?? 'platform_error';
  return refused(reason, 'The SMTP server refused the mail.', said);
}
