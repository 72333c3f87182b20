import type { ShapedFault, SimulatedAnswer } from '../../../src/contract/simulation/index.js';

export function answer(body: object): SimulatedAnswer {
  return { status: 200, body: body as SimulatedAnswer['body'] };
}

export function rateLimited(seconds: number): SimulatedAnswer {
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { ok: false, error: 'ratelimited' },
  };
}

export function faultAnswer(fault: ShapedFault): SimulatedAnswer {
  if (fault.kind === 'rate_limited') return rateLimited(Math.ceil(fault.retryAfterMs / 1000));
  return answer({
    ok: false,
    error: fault.kind === 'revoked' ? 'token_revoked' : `simulated_refusal_${fault.code}`,
  });
}
