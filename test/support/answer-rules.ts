import type { IncomingHttpHeaders } from 'node:http';
import type { Descriptions } from './api-description.js';

export interface JudgedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

const ERROR_STATUS: Readonly<Record<string, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  access_denied: 403,
  not_found: 404,
  conflict: 409,
  rate_limit_exceeded: 429,
};
const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const ALLOWED_IN_ERRORS = ['error', 'message', 'details', 'code', 'errors'];

/**
 * The defects of a response, as sentences. CONTRACT 2.3 and 11 apply to any response, and the description to responses of listed
 * operations. Empty if there are none.
 */
export function answerProblems(
  method: string,
  target: string,
  answer: JudgedAnswer,
  descriptions: Descriptions,
): string[] {
  const { status, headers, body } = answer;
  const [path = ''] = target.split('?');
  const problems: string[] = [];
  const want = (good: boolean, problem: string) => {
    if (!good) problems.push(problem);
  };
  want(status < 500, `The status is ${status}`);
  want(/^[A-Za-z0-9._-]{1,128}$/.test(String(headers['x-request-id'])), 'X-Request-Id is missing');
  if (body !== undefined) {
    want(headers['content-type'] === 'application/json; charset=utf-8', 'Content-Type is not that of JSON');
  }
  if (status >= 400 && method !== 'HEAD') problems.push(...errorProblems(status, headers, body));
  if (!/^(\/v\d+)?\/(openapi|api)(\/|$)/.test(path)) return problems;
  const version = String(headers['x-api-version']);
  want(['1.0', '2.0'].includes(version), `X-API-Version is ${version}`);
  want(headers.vary === 'Accept-Version, X-API-Version', `Vary is ${headers.vary}`);
  want(headers['cache-control'] === 'no-store', `Cache-Control is ${headers['cache-control']}`);
  want(headers['x-content-type-options'] === 'nosniff', 'X-Content-Type-Options is missing');
  want(headers['access-control-allow-origin'] === undefined, 'There is a header of CORS');
  if (status !== 401) {
    for (const name of RATE_HEADERS) want(/^\d+$/.test(String(headers[name])), `${name} is missing`);
  }
  problems.push(...(descriptions[version]?.problems(method, path, status, body) ?? []));
  return problems;
}

function errorProblems(status: number, headers: IncomingHttpHeaders, body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return ['The error has no body'];
  const { error, message } = body as Record<string, unknown>;
  const problems = Object.keys(body)
    .filter((name) => !ALLOWED_IN_ERRORS.includes(name))
    .map((name) => `An error has no ${name}`);
  if (typeof message !== 'string') problems.push('The error has no message');
  if (status < 500 && ERROR_STATUS[String(error)] !== status)
    problems.push(`${error} is no error of ${status}`);
  const challenge = String(headers['www-authenticate']);
  if (status === 401 && !/^(ApiKey|Bearer error="invalid_token")$/.test(challenge)) {
    problems.push(`WWW-Authenticate is ${challenge}`);
  }
  if (status === 429 && !/^[1-9]\d*$/.test(String(headers['retry-after'])))
    problems.push('Retry-After is missing');
  return problems;
}
