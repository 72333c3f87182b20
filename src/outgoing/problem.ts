import { OutgoingError } from '../core/common/outgoing.js';

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const dnsCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA']);
const tlsCode =
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** The error of a failed connection attempt. Nothing was written. */
export function connectProblem(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = codeOf(error);
  if (timeoutCodes.has(code)) return new OutgoingError('timeout', 'no');
  if (dnsCodes.has(code)) return new OutgoingError('dns', 'no');
  return new OutgoingError(tlsCode.test(code) ? 'tls' : 'connection', 'no');
}

/** The error of a failed request. An error of the connector is found in the chain of causes. */
export function requestProblem(error: unknown): OutgoingError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutgoingError) return cause;
    if (timeoutCodes.has(codeOf(cause))) return new OutgoingError('timeout', 'unknown');
  }
  return new OutgoingError('connection', 'unknown');
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && !hasCode(error)) return codeOf(error.errors[0]);
  return hasCode(error) ? error.code : '';
}

function hasCode(error: unknown): error is { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
