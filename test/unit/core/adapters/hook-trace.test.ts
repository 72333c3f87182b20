import { describe, expect, it } from 'vitest';
import { type HookCall, HookTrace } from '../../../../src/core/adapters/hook-trace.js';

const call: HookCall = { adapter: 'alpha', hook: 'start', connectionId: 'c1' };
const inner: HookCall = { adapter: 'alpha', hook: 'decode' };

describe('the trace of hooks', () => {
  it.each([true, false])(
    'names the innermost running hook, and none in code of the bridge (follows: %s)',
    (follows) => {
      const trace = new HookTrace(follows);
      const seen = trace.run(call, () => [
        trace.current(),
        trace.outside(() => trace.current()),
        trace.outside(() => trace.run(inner, () => trace.current())),
        trace.current(),
      ]);
      expect(seen).toEqual([call, undefined, inner, call]);
      expect(trace.current()).toBeUndefined();
      expect(() =>
        trace.run(call, () => {
          throw new Error('no');
        }),
      ).toThrow('no');
      expect(trace.current()).toBeUndefined();
    },
  );

  it('follows work that a hook starts, but not work that the bridge starts for it', async () => {
    const trace = new HookTrace(true);
    const later = () => new Promise((resolve) => setTimeout(() => resolve(trace.current()), 1));
    const [own, ours] = trace.run(call, () => [later(), trace.outside(later)] as const);
    expect(await own).toEqual(call);
    expect(await ours).toBeUndefined();
  });

  it('marks each hook and restores the previous mark', () => {
    const trace = new HookTrace(false);
    const marks: unknown[] = [];
    trace.mark({
      enter: ({ hook }) => {
        marks.push(hook);
        return marks.length;
      },
      leave: (before) => void marks.push(before),
      adapterOf: () => 'beta',
    });
    trace.run(call, () => trace.run(inner, () => undefined));
    expect(marks).toEqual(['start', 'decode', 2, 1]);
    expect(trace.run(call, () => trace.adapterOf(new Error('x')))).toBe('alpha');
    expect(trace.adapterOf(new Error('x'))).toBe('beta');
  });
});
