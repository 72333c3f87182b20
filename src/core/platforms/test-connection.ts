import { clock } from '../../contract/clock.js';
import { type Adapter, PlatformError, type RemoteIdentity } from '../../contract/index.js';
import type { Caller } from '../access/caller.js';
import { notFound } from '../errors.js';
import type { ConnectionStore } from '../ports/connections.js';
import type { ConnectionTestRecord } from './record.js';

/** Makes an adapter for a connection that is used once and never started. */
export interface AdapterFactory {
  once(connectionId: string): Promise<Adapter | undefined>;
}

/** Asks the platform who the credentials belong to; a failure of the platform is an answer, not an error. */
export class TestConnection {
  constructor(
    private readonly store: ConnectionStore,
    private readonly adapters: AdapterFactory,
  ) {}

  async execute(caller: Caller, id: string): Promise<ConnectionTestRecord> {
    if ((await this.store.find(caller.workspaceId, id)) === undefined) throw notFound('The connection');
    const startedAt = clock.now();
    try {
      const adapter = await this.adapters.once(id);
      if (adapter === undefined) throw notFound('The platform of the connection');
      const identity = await adapter.identify();
      await adapter.stop();
      return passed(identity, clock.now() - startedAt);
    } catch (cause) {
      if (!(cause instanceof PlatformError)) throw cause;
      return failed(cause, clock.now() - startedAt);
    }
  }
}

function passed(identity: RemoteIdentity, latencyMs: number): ConnectionTestRecord {
  const { externalId, handle = null, name = null } = identity;
  return {
    ok: true,
    latency_ms: latencyMs,
    checks: [{ name: 'credentials', ok: true, message: `Accepted for ${name ?? handle ?? externalId}.` }],
    identity: { external_id: externalId, handle, name },
    error: null,
  };
}

function failed(cause: PlatformError, latencyMs: number): ConnectionTestRecord {
  const reachable = cause.problem.kind !== 'unavailable';
  const fix = cause.fix === undefined ? '' : ` ${cause.fix}`;
  return {
    ok: false,
    latency_ms: latencyMs,
    checks: [{ name: reachable ? 'credentials' : 'reachable', ok: false, message: cause.message + fix }],
    identity: null,
    error: {
      code: codeOf(cause),
      message: cause.message,
      permanent: reachable && cause.problem.kind !== 'rate_limited',
      platform_code: cause.code ?? null,
    },
  };
}

function codeOf({ problem }: PlatformError) {
  switch (problem.kind) {
    case 'unavailable':
      return problem.cause;
    case 'rejected':
      return problem.reason;
    case 'rate_limited':
      return 'rate_limited' as const;
    case 'moved':
      return 'recipient_gone' as const;
    default:
      return 'auth_revoked' as const;
  }
}
