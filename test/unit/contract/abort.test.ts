import { getEventListeners, once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { linkedSignal } from '../../../src/contract/index.js';

describe('a linked signal', () => {
  it('is aborted by the first of its signals, with its reason, and immediately if one is already aborted', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = linkedSignal(one.signal, undefined, two.signal);
    expect(signal.aborted).toBe(false);
    two.abort(new Error('Enough.'));
    one.abort(new Error('Too late.'));
    expect([signal.aborted, signal.reason]).toEqual([true, new Error('Enough.')]);
    expect(linkedSignal(one.signal).signal.reason).toEqual(new Error('Too late.'));
  });

  it('keeps an otherwise unreferenced time limit through a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { signal } = linkedSignal(AbortSignal.timeout(50));
    collect();
    await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('removes its listeners from the other signals when it is released', () => {
    const { signal } = new AbortController();
    const linked = linkedSignal(signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    linked.release();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
