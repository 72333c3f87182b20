import type { ApiError, ApiSuccess, ResponseParameters } from 'grammy/types';
import type { JsonValue } from '../../../src/contract/index.js';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';

/** Responses in the format of https://core.telegram.org/bots/api#making-requests. */
export function success(result: object | true, committed = false): SimulatedAnswer {
  const body: ApiSuccess<unknown> = { ok: true, result };
  return { status: 200, body: body as unknown as JsonValue, committed };
}

export function failure(
  error_code: number,
  description: string,
  parameters?: ResponseParameters,
): SimulatedAnswer {
  const body: ApiError = {
    ok: false,
    error_code,
    description,
    ...(parameters === undefined ? {} : { parameters }),
  };
  return { status: error_code, body: body as unknown as JsonValue };
}

export const badRequest = (description: string) => failure(400, `Bad Request: ${description}`);

export const unauthorized = () => failure(401, 'Unauthorized');

export function tooManyRequests(waitMs: number): SimulatedAnswer {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const answer = failure(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
  return { ...answer, headers: { 'retry-after': String(seconds) } };
}
