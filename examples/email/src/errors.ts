import { type AdapterHost, type Dispatched, PlatformError, type RejectionReason } from 'trunkline';

export function refused(reason: RejectionReason, message: string, code?: string): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason },
    { dispatched: 'no', message, ...(code === undefined ? {} : { code }) },
  );
}

export function unavailable(dispatched: Dispatched, message: string, code?: string): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'network' },
    { dispatched, message, ...(code === undefined ? {} : { code }) },
  );
}

export function unauthorized(server: string): PlatformError {
  return new PlatformError(
    { kind: 'unauthorized' },
    {
      dispatched: 'no',
      message: `The ${server} server refused the name or the password.`,
      fix: 'Enter the address and password of a mailbox on this server; many providers require an app password.',
    },
  );
}

/** The rejection reason for a status code of RFC 3463. Servers and bounces contain these codes. */
export function reasonOf(status: string): RejectionReason {
  if (/^5\.1\.|^5\.2\.1/.test(status)) return 'recipient_gone';
  if (/^5\.2\.3|^5\.3\.4/.test(status)) return 'too_large';
  if (/^5\.6\./.test(status)) return 'content_rejected';
  if (/^5\.7\./.test(status)) return 'forbidden';
  return 'platform_error';
}

export function healthOf(error: unknown): Parameters<AdapterHost['health']>[0] {
  if (!(error instanceof PlatformError)) return { code: 'transient', message: "The mailbox can't be read." };
  const kinds: Readonly<Record<string, 'bad_credentials' | 'misconfigured'>> = {
    unauthorized: 'bad_credentials',
    misconfigured: 'misconfigured',
  };
  const code = kinds[error.problem.kind] ?? 'transient';
  return { code, message: error.message, ...(error.fix === undefined ? {} : { fix: error.fix }) };
}
