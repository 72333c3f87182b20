import { createHash } from 'node:crypto';
import { clock } from '../../contract/clock.js';
import { type Operation, PlatformError } from '../../contract/index.js';
import type { DeliveryStore, SendingConnection, SendingConnections } from '../ports/deliveries.js';
import { askedWaitMs } from '../rates/asked-wait.js';
import type { Rates } from '../rates/rates.js';

/** Behind what somebody wrote, before what goes to many. */
const PRIORITY = 1;
/** A call whose turn does not come within it is left for later. */
const PATIENCE_MS = 5_000;
/** One write may take this long. */
const LIMIT_MS = 20_000;

/**
 * Carries a reaction or a sign of typing out at a platform, beside the lanes: neither has to be in order with messages.
 * Resolves with false when the platform has nothing of the kind; raises what the adapter raises.
 */
export async function perform(
  operation: Operation & { readonly type: 'react' | 'typing' },
  { connectionId, connection, rates }: Outlet,
  signal: AbortSignal,
): Promise<boolean> {
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
    const roomMs = await rates.room(connectionId, operation.to.chatId, write);
    if (roomMs > 0) throw later(roomMs);
    const { account } = connection;
    if (!(await rates.turn(connectionId, account, write.cost ?? 1, PRIORITY, PATIENCE_MS)))
      throw later(PATIENCE_MS);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    await adapter.execute(step, { to: operation.to, key, signal: limit });
  }
  return steps.length > 0;
}

/** Where a signal goes out. */
export interface Outlet {
  readonly connectionId: string;
  readonly connection: SendingConnection;
  readonly rates: Rates;
}

/** The platform was not called: there is no room for it now. */
class NoRoom extends PlatformError {}

const later = (retryAfterMs: number) =>
  new NoRoom(
    { kind: 'rate_limited', retryAfterMs, scope: 'chat' },
    { dispatched: 'no', message: 'The limits of the platform leave no room for it now.' },
  );

/** What a failure means for the whole connection. */
export async function noticeFailure(
  cause: unknown,
  connectionId: string,
  { generation }: SendingConnection,
  store: DeliveryStore,
  connections: SendingConnections,
): Promise<void> {
  if (!(cause instanceof PlatformError) || cause instanceof NoRoom) return;
  const { problem } = cause;
  if (problem.kind === 'rate_limited' && problem.scope !== 'chat') {
    await store.pauseConnection(connectionId, new Date(clock.now() + askedWaitMs(problem.retryAfterMs)));
  } else if (problem.kind === 'unauthorized' || problem.kind === 'misconfigured') {
    connections.refused(connectionId, cause, generation);
  }
}
