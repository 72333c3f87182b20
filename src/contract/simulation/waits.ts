import type { JsonValue } from '../json.js';
import type { Fault } from './faults.js';

interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonValue | Buffer;
}

type RateLimit = Extract<Fault, { kind: 'rate_limited' }>;

/**
 * Changes the format of the wait in a 429 of a platform. The header gets the format. The fields `retry_after` of the body
 * get the same number, or are removed if the header has no number.
 */
export function inShape(answer: Refusal, fault: RateLimit): Refusal {
  const { shape = 'native' } = fault;
  if (shape === 'native') return answer;
  const value = waitIn(shape, fault.retryAfterMs);
  const headers = Object.fromEntries(
    Object.entries(answer.headers ?? {}).filter(([name]) => !/retry-after|reset/i.test(name)),
  );
  return {
    ...answer,
    headers: value === undefined ? headers : { ...headers, 'retry-after': value },
    body: withWait(answer.body, Number(value ?? Number.NaN)) as Refusal['body'],
  };
}

/** RFC 9110 defines only whole seconds and dates. Servers use the other formats nevertheless. */
function waitIn(shape: Exclude<RateLimit['shape'], 'native' | undefined>, ms: number): string | undefined {
  switch (shape) {
    case 'seconds':
      return String(Math.ceil(ms / 1000));
    case 'float':
      return (ms / 1000).toFixed(3);
    case 'milliseconds':
      return String(ms);
    case 'date':
      return new Date(Math.ceil((Date.now() + ms) / 1000) * 1000).toUTCString();
    case 'absent':
      return undefined;
  }
}

function withWait(body: unknown, wait: number): unknown {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return body;
  if (Array.isArray(body)) return body.map((each) => withWait(each, wait));
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => name !== 'retry_after' || Number.isFinite(wait))
      .map(([name, value]) => [name, name === 'retry_after' ? wait : withWait(value, wait)]),
  );
}
