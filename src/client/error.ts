/** The fields of a {@link TrunklineError}. */
export interface ErrorParts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** The codes that the library adds to those of the service. */
export type LocalCode =
  /** No response: the connection failed or broke. */
  | 'network_error'
  /** No response in time. */
  | 'timeout'
  /** A response that is not from the service: a redirect, or a page of a proxy. */
  | 'unexpected_answer'
  /** A webhook that the service did not sign, or that was changed in transit. */
  | 'invalid_signature';

/**
 * Any failure between your program and the service, except an abort, which throws the signal's reason.
 */
export class TrunklineError extends Error {
  override readonly name = 'TrunklineError';
  /** HTTP status, or 0 if there is no response. */
  readonly status: number;
  /** `error` of the response, such as `not_found`, or a {@link LocalCode}. */
  readonly code: string;
  /** Details from the service: `fields` of a 400, `required` of a 403, `reason` of a 409. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait, as requested by the service. */
  readonly retryAfter: number | undefined;

  constructor({ message, status, code, details = {}, requestId, retryAfter, cause }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** The reason of a 409 or 503, such as `invalid_state`. */
  get reason(): string | undefined {
    const { reason } = this.details;
    return typeof reason === 'string' ? reason : undefined;
  }
}

/** The error for a response other than 2xx. */
export async function errorOf(response: Response): Promise<TrunklineError> {
  const text = await response.text();
  const body = parse(text);
  const known = typeof body.error === 'string' && typeof body.message === 'string';
  return new TrunklineError({
    status: response.status,
    code: known ? String(body.error) : ('unexpected_answer' satisfies LocalCode),
    message: known ? String(body.message) : `The response is not from the service (HTTP ${response.status}).`,
    details: isObject(body.details) ? body.details : {},
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: seconds(response.headers.get('retry-after')),
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The seconds of a Retry-After header. A proxy may send a date instead. */
function seconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
