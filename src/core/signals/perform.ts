import { createHash } from 'node:crypto';
import { type Operation, PlatformError } from '../../contract/index.js';
import type { Account, PlatformErrorEffects } from '../deliveries/platform-error-effects.js';
import { callWithTimeout } from '../deliveries/send/call-with-timeout.js';
import type { WriteGate } from '../deliveries/send/write-gate.js';
import type { Rates } from '../rates/rates.js';

/** After messages of people, before broadcasts. */
const PRIORITY = 1;
/** Maximum wait for the account's turn. After that the call is not made for now. */
const TIMEOUT_MS = 5_000;
/** Wait before the next attempt while a connection restarts or stops. */
const UNUSABLE_MS = 1_000;
/** Timeout of one write. */
const LIMIT_MS = 20_000;

/**
 * Sends a reaction or typing indicator to a platform without a lane, because its order relative to messages does not matter.
 * Resolves with false if the platform has no such operation. Raises the errors of the adapter.
 */
export async function perform(
  operation: Operation & { readonly type: 'react' | 'typing' },
  outlet: Outlet,
  signal: AbortSignal,
): Promise<boolean> {
  const { connectionId, connection, rates, effects } = outlet;
  const { adapter, capabilities } = connection;
  const level = capabilities.ops[operation.type];
  if (level !== 'native' && level !== 'emulated') return false;
  const { steps } = adapter.plan(operation, capabilities);
  for (const [index, step] of steps.entries()) {
    const key = createHash('sha256')
      .update(JSON.stringify([operation, index]))
      .digest('hex')
      .slice(0, 32);
    const write = connection.rate(step, operation.to);
    assertOpen(outlet);
    const waitMs = await rates.acquireCapacity(connectionId, operation.to.chatId, write);
    if (waitMs > 0) throw later(waitMs);
    const { account } = connection;
    if (!(await rates.acquirePermit(connectionId, account, write.cost ?? 1, PRIORITY, TIMEOUT_MS)))
      throw later(TIMEOUT_MS);
    assertOpen(outlet);
    try {
      const { to } = operation;
      await callWithTimeout((until) => adapter.execute(step, { to, key, signal: until }), LIMIT_MS, signal);
    } catch (cause) {
      const refused: Refused = (problem) => rates.refused(connectionId, operation.to.chatId, problem, write);
      // If this can't be recorded now, the next failure records it.
      await effects.take(cause, outlet, undefined, { refused }).catch(() => undefined);
      throw cause;
    }
  }
  return steps.length > 0;
}

/** The connection through which a signal is sent. */
export interface Outlet extends Account {
  readonly rates: Rates;
  readonly effects: PlatformErrorEffects;
}

type Refused = WriteGate['refused'];

/** Raises if the account is paused, or can no longer be used in this process. */
function assertOpen(outlet: Outlet): void {
  const waitMs = outlet.effects.pauseMs(outlet);
  if (waitMs !== 0) throw later(waitMs ?? UNUSABLE_MS);
}

/** The platform was not called, because there is no capacity now. */
const later = (retryAfterMs: number) =>
  new PlatformError(
    { kind: 'rate_limited', retryAfterMs, scope: 'chat' },
    { dispatched: 'no', message: 'The platform may not be called for it now.' },
  );
