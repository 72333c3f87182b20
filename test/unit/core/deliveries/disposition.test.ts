import { describe, expect, it } from 'vitest';
import type { PartStep, PlatformProblem } from '../../../../src/contract/index.js';
import { type Circumstances, dispose } from '../../../../src/core/deliveries/disposition.js';
import { RETRY_WAITS_MS, retryWaitMs } from '../../../../src/core/deliveries/retry-schedule.js';
import { stepKey } from '../../../../src/core/deliveries/send/step-key.js';
import { problem } from '../../../support/scripted-platform.js';

const first: Circumstances = { attemptCount: 1, policy: 'hold', repeatable: false, random: 0.5 };
const outage: PlatformProblem = { kind: 'unavailable', cause: 'platform_down' };

describe('the consequences of a failed attempt', () => {
  it.each([
    [
      { kind: 'rate_limited', retryAfterMs: 7000, scope: 'chat' },
      { action: 'wait', waitMs: 7000, scope: 'chat' },
    ],
    [
      { kind: 'rate_limited', retryAfterMs: 7, scope: 'method' },
      { action: 'wait', waitMs: 7, scope: 'account' },
    ],
    [
      { kind: 'moved', toChatId: 'b' as never },
      { action: 'retry', waitMs: 10_000, error: { code: 'recipient_gone', permanent: false } },
    ],
    [{ kind: 'unauthorized' }, { action: 'wait', waitMs: null, scope: 'account' }],
    [{ kind: 'misconfigured' }, { action: 'wait', waitMs: null, scope: 'account' }],
    [
      { kind: 'rejected', reason: 'too_long' },
      { action: 'fail', error: { code: 'too_long', permanent: true } },
    ],
    [
      { kind: 'rejected', reason: 'opted_out' },
      { action: 'block', error: { code: 'opted_out' } },
    ],
    [{ kind: 'rejected', reason: 'blocked_by_recipient' }, { action: 'block' }],
    [outage, { action: 'retry', waitMs: 10_000, error: { code: 'platform_down', permanent: false } }],
    [
      { kind: 'unavailable', cause: 'network' },
      { action: 'retry', error: { code: 'network' } },
    ],
  ] as [PlatformProblem, object][])('%j', (kind, expected) => {
    expect(dispose(problem(kind), first)).toMatchObject(expected);
  });

  it('never include another attempt when a create may have happened', () => {
    for (const dispatched of ['yes', 'unknown'] as const) {
      expect(dispose(problem(outage, dispatched), first)).toMatchObject({
        action: 'uncertain',
        askAfterMs: null,
      });
      const asking = dispose(problem(outage, dispatched), { ...first, policy: 'reconcile' });
      expect(asking).toMatchObject({ action: 'uncertain', askAfterMs: expect.any(Number) });
      expect(dispose(problem(outage, dispatched), { ...first, repeatable: true }).action).toBe('retry');
    }
  });

  it('are final after the fifth attempt', () => {
    const actions = [1, 2, 3, 4, 5].map(
      (attemptCount) => dispose(problem(outage), { ...first, attemptCount }).action,
    );
    expect(actions).toEqual(['retry', 'retry', 'retry', 'retry', 'fail']);
  });

  it('of a broken adapter are an unknown outcome for a create and a failure for repeatable calls', () => {
    expect(dispose(new TypeError('x'), first)).toMatchObject({
      action: 'uncertain',
      error: { code: 'provider_error' },
    });
    expect(dispose('no error at all', { ...first, repeatable: true }).action).toBe('fail');
  });

  it('keep the text and code of the platform', () => {
    expect(dispose(problem(outage), first).error).toMatchObject({
      message: 'As scripted.',
      platform_code: 'scripted',
    });
  });
});

describe('the waits between attempts', () => {
  it('are 10 s, 1 min, 10 min and 45 min, spread by a tenth', () => {
    expect(RETRY_WAITS_MS).toEqual([10_000, 60_000, 600_000, 2_700_000]);
    for (const [index, wait] of RETRY_WAITS_MS.entries()) {
      expect(retryWaitMs(index + 1, 0)).toBe(wait * 0.9);
      expect(retryWaitMs(index + 1, 0.5)).toBe(wait);
      expect(retryWaitMs(index + 1, 0.999_999)).toBeLessThanOrEqual(wait * 1.1);
    }
    expect(retryWaitMs(5, 0)).toBeUndefined();
  });
});

describe('the key of a write', () => {
  const create: PartStep = { action: 'create', index: 0, kind: 'text', payload: {} };

  const keyOf = (delivery: string, operation: 'send' | 'edit', revision: number, step: PartStep) =>
    stepKey({ delivery_id: delivery, operation, message: { revision } }, step);

  it('is the same for every attempt of a create, also after an edit', () => {
    expect(keyOf('d', 'send', 1, create)).toMatch(/^[0-9a-f]{32}$/);
    expect(keyOf('d', 'send', 2, create)).toBe(keyOf('d', 'send', 1, create));
  });

  it('differs for a part that an edit adds, which may have existed and been removed before', () => {
    const keys = [
      keyOf('d', 'send', 1, create),
      keyOf('d', 'edit', 2, create),
      keyOf('d', 'edit', 3, create),
    ];
    expect(new Set(keys).size).toBe(3);
    expect(keyOf('d', 'edit', 3, create)).toBe(keys[2]);
  });

  it('differs by delivery, part, action and, for changes, revision', () => {
    const update: PartStep = { ...create, action: 'update' };
    const keys = [
      keyOf('d', 'edit', 2, create),
      keyOf('e', 'edit', 2, create),
      keyOf('d', 'edit', 2, { ...create, index: 1 }),
      keyOf('d', 'edit', 2, update),
      keyOf('d', 'edit', 3, update),
      keyOf('d', 'edit', 3, { ...create, action: 'remove' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
