import { clock } from '../../contract/clock.js';
import { type Adapter, PlatformError } from '../../contract/index.js';
import type { Caller } from '../access/caller.js';
import { AdapterDefect } from '../adapters/hook-runner.js';
import { notFound } from '../common/errors.js';
import type { ConnectionStore } from './ports.js';
import type { ConnectionTestRecord } from './record.js';

/** Creates an adapter for a connection. It is used once and never started. */
export interface AdapterFactory {
  once(connectionId: string): Promise<Adapter | undefined>;
}

/** Checks the credentials with the platform. A failure of the platform is a result, not an error. */
export class TestConnection {
  constructor(
    private readonly store: ConnectionStore,
    private readonly adapters: AdapterFactory,
  ) {}

  async execute(caller: Caller, id: string): Promise<ConnectionTestRecord> {
    if ((await this.store.find(caller.workspaceId, id)) === undefined) throw notFound('The connection');
    const startedAt = clock.now();
    const found = await examine(() => this.#adapter(id));
    return { ok: found.error === null, latency_ms: clock.now() - startedAt, ...found };
  }

  async #adapter(id: string): Promise<Adapter> {
    const adapter = await this.adapters.once(id);
    if (adapter === undefined) throw notFound('The platform of the connection');
    return adapter;
  }
}

type Findings = Pick<ConnectionTestRecord, 'checks' | 'identity' | 'error'>;

/** Runs the checks in order, up to the first failure. */
async function examine(made: () => Promise<Adapter>): Promise<Findings> {
  const checks: ConnectionTestRecord['checks'] = [];
  let identity: Findings['identity'] = null;
  let adapter: Adapter | undefined;
  try {
    adapter = await made();
    const { externalId, handle = null, name: own = null } = await adapter.identify();
    identity = { external_id: externalId, handle, name: own };
    checks.push({ name: 'credentials', ok: true, message: `Accepted for ${own ?? handle ?? externalId}.` });
    if (adapter.checkIngress !== undefined) {
      await adapter.checkIngress();
      checks.push({ name: 'ingress', ok: true, message: 'Events are let in.' });
    }
    return { checks, identity, error: null };
  } catch (cause) {
    if (cause instanceof AdapterDefect)
      return { checks: [...checks, failedCheck('adapter', cause)], identity, error: defectOf(cause) };
    if (!(cause instanceof PlatformError)) throw cause;
    const { problem, message, fix } = cause;
    const asked = checks.length === 0 ? 'credentials' : 'ingress';
    const name = problem.kind === 'unavailable' ? 'reachable' : asked;
    checks.push({ name, ok: false, message: fix === undefined ? message : `${message} ${fix}` });
    return { checks, identity, error: errorOf(cause) };
  } finally {
    // A failed stop of the adapter does not change the result.
    await adapter?.stop().catch(() => undefined);
  }
}

const failedCheck = (name: string, { message }: Error) => ({ name, ok: false, message });

function defectOf({ message }: AdapterDefect): Findings['error'] {
  return { code: 'provider_error', message, permanent: true, platform_code: null };
}

function errorOf(cause: PlatformError): Findings['error'] {
  const { kind } = cause.problem;
  return {
    code: codeOf(cause),
    message: cause.message,
    permanent: kind !== 'unavailable' && kind !== 'rate_limited',
    platform_code: cause.code ?? null,
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
