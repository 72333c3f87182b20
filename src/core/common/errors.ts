/** Errors caused by the client. Each code has one HTTP status. Any error other than AppError and PlatformError is a defect. */

export type FieldCode =
  | 'required'
  | 'invalid_type'
  | 'invalid_format'
  | 'invalid_value'
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'too_large'
  | 'too_many'
  | 'exclusive'
  | 'duplicate'
  | 'read_only'
  | 'unknown_field'
  | 'unsupported'
  | 'forbidden_target'
  | 'malformed';

export interface FieldProblem {
  /** Dotted path or parameter name; the empty string means the body. */
  readonly field: string;
  readonly code: FieldCode;
  readonly message: string;
}

export type ConflictReason =
  | 'invalid_state'
  | 'already_exists'
  | 'active_call'
  | 'tracking_active'
  | 'limit_reached'
  | 'no_connection'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'consent_denied'
  | 'not_a_contact'
  | 'nothing_to_retry'
  | 'test_mode';

export type UnavailableReason =
  | 'database'
  | 'row_security'
  | 'queue'
  | 'draining'
  | 'backlog'
  | 'no_provider';

export type AppErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'access_denied'
  | 'not_found'
  | 'conflict'
  | 'rate_limit_exceeded'
  | 'service_unavailable';

export class AppError extends Error {
  readonly code: AppErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: AppErrorCode, message: string, details?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

/** Paths of fields are longer only if a client made up the names. */
const MAX_FIELD_LENGTH = 256;

export function invalidRequest(problems: readonly FieldProblem[]): AppError {
  const fields = problems.map((problem) => ({ ...problem, field: shortened(problem.field) }));
  const [first] = fields;
  const where = first === undefined || first.field === '' ? '' : `${first.field}: `;
  return new AppError('invalid_request', first === undefined ? 'Invalid request.' : where + first.message, {
    fields,
  });
}

function shortened(field: string): string {
  return field.length <= MAX_FIELD_LENGTH ? field : `${field.slice(0, MAX_FIELD_LENGTH - 1).toWellFormed()}…`;
}

export function invalidField(field: string, code: FieldCode, message: string): AppError {
  return invalidRequest([{ field, code, message }]);
}

/** `field` is the body field or query parameter that contained the id. It is absent for ids in the path. */
export function notFound(what: string, field?: string): AppError {
  return new AppError('not_found', `${what} does not exist.`, field === undefined ? undefined : { field });
}

export function conflict(
  reason: ConflictReason,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): AppError {
  return new AppError('conflict', message, { reason, ...details });
}

/** `what` names the missing thing if it is not a scope. */
export function accessDenied(
  required: readonly string[],
  provided: readonly string[],
  what: 'scope' | 'role' | 'header' = 'scope',
): AppError {
  const plural = what === 'scope' && required.length > 1 ? 'scopes' : what;
  const list = required.join(what === 'role' ? ' or ' : ', ');
  return new AppError('access_denied', `Missing ${plural} ${list}.`, {
    required: [...required],
    provided: [...provided].sort(),
  });
}

/** Why the service cannot accept requests. */
export interface Unready {
  readonly reason: UnavailableReason;
  readonly message: string;
}

export const shuttingDown: Unready = { reason: 'draining', message: 'The service is shutting down.' };

export function unavailable(reason: UnavailableReason, message: string): AppError {
  return new AppError('service_unavailable', message, { reason });
}
