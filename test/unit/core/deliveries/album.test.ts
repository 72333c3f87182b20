import { describe, expect, it } from 'vitest';
import type { Adapter, LookupResult, PartStep, Receipt } from '../../../../src/contract/index.js';
import { remoteMessageId } from '../../../../src/contract/index.js';
import type { DeliveryStore, SendingConnection } from '../../../../src/core/deliveries/ports.js';
import { reconcile } from '../../../../src/core/deliveries/reconcile.js';
import { runTask } from '../../../../src/core/deliveries/send/run-task.js';
import { openGate } from '../../../../src/core/deliveries/send/write-gate.js';
import type { KnownPart } from '../../../../src/core/deliveries/task.js';
import { resultOf } from '../../../../src/core/deliveries/task-result.js';
import { deliveryTask } from '../../../support/delivery-task.js';
import { problem, ScriptedPlatform } from '../../../support/scripted-platform.js';

const text: PartStep = { action: 'create', index: 0, kind: 'text', payload: {} };
const album: PartStep = {
  action: 'create',
  index: 1,
  kind: 'media',
  others: [
    { index: 2, kind: 'media' },
    { index: 3, kind: 'media' },
  ],
  payload: {},
};
const ids = (...values: string[]) => values.map(remoteMessageId);
const [first, second, third, fourth] = ids('10', '11', '12', '13') as [never, never, never, never];
const written: Receipt = { remoteId: second, otherIds: [third, fourth] };
const sent = (index: number, external_id: string, kind: KnownPart['kind'] = 'media'): KnownPart => ({
  index,
  kind,
  status: 'sent',
  external_id,
});

/** A connection on which every message is a text and an album of three. */
function connection(execute: (step: PartStep) => Receipt, found?: LookupResult) {
  const platform = new ScriptedPlatform();
  const calls: number[] = [];
  const adapter: Adapter = {
    ...platform.adapter(),
    plan: () => ({ steps: [text, album], degradations: [] }),
    execute: async (step) => {
      calls.push(step.index);
      return execute(step);
    },
    lookup: async () => found ?? { outcome: 'undecidable' },
  };
  return { connection: { ...platform.find(), adapter } as SendingConnection, calls };
}

const store = { progress: async () => true } as unknown as DeliveryStore;
const never = new AbortController().signal;
const failing = (step: PartStep) => {
  if (step.index === 0) return { remoteId: first };
  throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
};

describe('a write that creates several parts', () => {
  it('is one call, and each part receives its own id', async () => {
    const { connection: live, calls } = connection((step) =>
      step.index === 0 ? { remoteId: first } : written,
    );
    const { parts, failure } = await runTask(deliveryTask(), live, store, never);
    expect(failure).toBeUndefined();
    expect(calls).toEqual([0, 1]);
    expect(parts).toEqual([sent(0, '10', 'text'), sent(1, '11'), sent(2, '12'), sent(3, '13')]);
  });

  it('is not repeated once its parts are recorded', async () => {
    const { connection: live, calls } = connection(() => written);
    const parts = [sent(0, '10', 'text'), sent(1, '11'), sent(2, '12'), sent(3, '13')];
    await runTask(deliveryTask({ parts }), live, store, never);
    expect(calls).toEqual([]);
  });

  it('leaves all its parts uncertain when its response is lost', async () => {
    const { connection: live } = connection(failing);
    const task = deliveryTask();
    const run = await runTask(task, live, store, never);
    const result = resultOf(task, live, run, new Date(), 0);
    expect(result.outcome).toBe('uncertain');
    expect(result.parts.map(({ index, status }) => [index, status])).toEqual([
      [0, 'sent'],
      [1, 'uncertain'],
      [2, 'uncertain'],
      [3, 'uncertain'],
    ]);
  });

  it('is found again with all its ids', async () => {
    const found = { outcome: 'found' as const, remoteId: second, otherIds: [third, fourth] };
    const { connection: live } = connection(failing, found);
    const task = deliveryTask({ operation: 'reconcile', parts: [sent(0, '10', 'text')] });
    const result = await reconcile(task, live, store, { gate: openGate, onFailure: async () => undefined });
    expect(result?.move?.to).toBe('sent');
    expect(result?.parts).toEqual([sent(1, '11'), sent(2, '12'), sent(3, '13')]);
  });

  it('counts with all its parts toward the limit of ten parts per message', async () => {
    const { connection: live, calls } = connection(() => written);
    const others = Array.from({ length: 10 }, (_, place) => ({ index: place + 1, kind: 'media' as const }));
    const step = { ...album, index: 0, others };
    const plan = () => ({ steps: [step], degradations: [] });
    const run = await runTask(
      deliveryTask(),
      { ...live, adapter: { ...live.adapter, plan } as Adapter },
      store,
      never,
    );
    expect(run.failure?.cause).toMatchObject({ problem: { reason: 'too_long' } });
    expect(calls).toEqual([]);
  });
});
