import { version } from '../../app/version.js';
import { signatureHeaders } from '../../core/webhooks/signature.js';

export interface Forwarded {
  /** Status of the response, or the reason why there was none. */
  readonly outcome: string;
  readonly durationMs: number;
}

const limitMs = 15_000;

/** Sends a payload to a developer's server, signed like a webhook. A failure is a result, not an error. */
export async function forward(
  target: string,
  secret: string,
  id: string,
  payload: string,
): Promise<Forwarded> {
  const startedAt = performance.now();
  const timestamp = Math.floor(Date.now() / 1_000);
  const outcome = await fetch(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': `Trunkline/${version}`,
      ...signatureHeaders({ id, body: payload, timestamp }, [secret]),
    },
    body: payload,
    redirect: 'manual',
    signal: AbortSignal.timeout(limitMs),
  }).then(async (response) => {
    await response.body?.cancel();
    return String(response.status);
  }, explain);
  return { outcome, durationMs: Math.round(performance.now() - startedAt) };
}

function explain(error: Error & { cause?: { code?: string } }): string {
  if (error.name === 'TimeoutError') return 'no answer in time';
  return error.cause?.code ?? error.message;
}
