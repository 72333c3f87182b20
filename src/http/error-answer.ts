import { isDatabaseAway } from '../core/database-away.js';
import { AppError, type AppErrorCode } from '../core/errors.js';
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

/** Seconds after which a request that met an unavailable service may come again. */
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

/** The one error body of the interface, in its 1.0 shape. A defect shows nothing but the request's id. */
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

/** An error body as a version shows it. */
export function presentError(body: ErrorBody, version: ApiVersion): object {
  if (version === '1.0') return body;
  return { ...body, code: body.details?.reason ?? body.error, errors: body.details?.fields ?? [] };
}

const STATEMENT_TIMEOUT = '57014';
const TOO_LONG =
  'This took the database too long. Narrow the list, as by created_at or conversation_id, or page by cursor, which counts nothing.';

/** `service_unavailable` when the error, or what caused it, is a lost or refused database connection. */
function databaseFault(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  if ((error as NodeJS.ErrnoException).code === STATEMENT_TIMEOUT) {
    return new AppError('service_unavailable', TOO_LONG, { reason: 'database' });
  }
  if (isDatabaseAway(error)) {
    return new AppError('service_unavailable', 'The database is not available.', { reason: 'database' });
  }
  return databaseFault(error.cause);
}
