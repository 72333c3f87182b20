import { isDatabaseAway } from '../core/common/database-away.js';
import { AppError, type AppErrorCode } from '../core/common/errors.js';
import type { ApiVersion } from '../core/versions/api-version.js';

const STATUS: Readonly<Record<AppErrorCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  access_denied: 403,
  not_found: 404,
  conflict: 409,
  rate_limit_exceeded: 429,
  service_unavailable: 503,
};

/** The value of Retry-After when the service is unavailable, in seconds. */
const RETRY_SECONDS = 5;

export interface ErrorBody {
  readonly error: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfter?: number;
}

/** The error body of the API in its 1.0 shape. For a defect, it shows only the id of the request. */
export function errorAnswer(error: unknown, requestId: string, now: number): ErrorAnswer {
  const fault = error instanceof AppError ? error : databaseFault(error);
  if (fault === undefined) {
    const body = {
      error: 'server_error',
      message: 'Unexpected server error.',
      details: { request_id: requestId },
    };
    return { status: 500, body };
  }
  const { code, message, details } = fault;
  const body = { error: code, message, ...(details && { details }) };
  const status = STATUS[code];
  if (status === 503) return { status, body, retryAfter: RETRY_SECONDS };
  if (status !== 429) return { status, body };
  return { status, body, retryAfter: Math.max(1, Math.ceil(Number(details?.reset ?? 0) - now / 1_000)) };
}

/** Converts an error body to an API version. */
export function presentError(body: ErrorBody, version: ApiVersion): object {
  if (version === '1.0') return body;
  return { ...body, code: body.details?.reason ?? body.error, errors: body.details?.fields ?? [] };
}

const STATEMENT_TIMEOUT = '57014';
/** A lock timeout, a deadlock and a serialization failure. Nothing was changed. */
const LOCK_STATES: ReadonlySet<string | undefined> = new Set(['55P03', '40P01', '40001']);
const LOCKED = 'Other requests are changing the same record. Try again.';
/** The error of a pool whose connections were all in use for longer than a request waits. */
const NO_CONNECTION = /^timeout exceeded when trying to connect/;
const CROWDED = 'Too many requests are waiting for the database. Try again.';
const TOO_LONG =
  'This took the database too long. Narrow the list, as by created_at or conversation_id, or page by cursor, which counts nothing.';

const DISK_STATES: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);
const NO_SPACE = 'The disk of DATA_DIR is full.';

/** `service_unavailable` when the error, or its cause, is a lost or refused database connection, or a full disk. */
function databaseFault(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  if ((error as NodeJS.ErrnoException).code === STATEMENT_TIMEOUT) {
    return new AppError('service_unavailable', TOO_LONG, { reason: 'database' });
  }
  if (DISK_STATES.has((error as NodeJS.ErrnoException).code)) {
    return new AppError('service_unavailable', NO_SPACE, { reason: 'database' });
  }
  const busy = busyWith(error);
  if (busy !== undefined) return new AppError('service_unavailable', busy, { reason: 'database' });
  if (isDatabaseAway(error)) {
    return new AppError('service_unavailable', 'The database is not available.', { reason: 'database' });
  }
  return databaseFault(error.cause);
}

/** The message for an overload of a database that is available. */
function busyWith(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (LOCK_STATES.has((error as NodeJS.ErrnoException).code)) return LOCKED;
  return NO_CONNECTION.test(error.message) ? CROWDED : busyWith(error.cause);
}
