import { describe, expect, it } from 'vitest';
import { type Adapter, PlatformError, remoteUserId } from '../../../../src/contract/index.js';
import type { Caller } from '../../../../src/core/access/caller.js';
import type { ConnectionStore } from '../../../../src/core/platforms/ports.js';
import { TestConnection } from '../../../../src/core/platforms/test-connection.js';

const dead = new PlatformError(
  { kind: 'unauthorized' },
  { dispatched: 'no', message: 'Refused.', fix: 'Mend it.' },
);
const away = new PlatformError(
  { kind: 'unavailable', cause: 'network' },
  { dispatched: 'no', message: 'Away.' },
);

function adapterOf(more: Partial<Adapter>) {
  let stops = 0;
  const identify = async () => ({ externalId: remoteUserId('U1'), name: 'Bridge' });
  const stop = async () => {
    stops += 1;
  };
  return { adapter: { identify, stop, ...more } as Adapter, stops: () => stops };
}

function tested(adapter: Adapter) {
  const store = { find: async () => ({}) } as unknown as ConnectionStore;
  const caller = { workspaceId: 'w' } as Caller;
  return new TestConnection(store, { once: async () => adapter }).execute(caller, 'c');
}

describe('the test of a connection', () => {
  it('checks the inbound permission if that needs more than the account', async () => {
    const { adapter, stops } = adapterOf({ checkIngress: async () => undefined });
    expect(await tested(adapter)).toMatchObject({
      ok: true,
      checks: [
        { name: 'credentials', ok: true },
        { name: 'ingress', ok: true },
      ],
      identity: { external_id: 'U1', handle: null, name: 'Bridge' },
      error: null,
    });
    expect((await tested(adapterOf({}).adapter)).checks).toHaveLength(1);
    expect(stops()).toBe(1);
  });

  it('names the failed check and still returns the account, and leaves nothing open', async () => {
    const refuse = (cause: PlatformError) => async () => Promise.reject(cause);
    const { adapter, stops } = adapterOf({ checkIngress: refuse(dead) });
    expect(await tested(adapter)).toMatchObject({
      ok: false,
      checks: [{ ok: true }, { name: 'ingress', ok: false, message: 'Refused. Mend it.' }],
      identity: { external_id: 'U1' },
      error: { code: 'auth_revoked', permanent: true },
    });
    expect(stops()).toBe(1);
    const unreached = adapterOf({ checkIngress: refuse(away) });
    expect(await tested(unreached.adapter)).toMatchObject({
      checks: [{ ok: true }, { name: 'reachable', ok: false }],
      error: { code: 'network', permanent: false },
    });
    const unknown = adapterOf({ identify: refuse(dead) });
    expect(await tested(unknown.adapter)).toMatchObject({
      checks: [{ name: 'credentials', ok: false }],
      identity: null,
    });
    expect(unknown.stops()).toBe(1);
  });
});
