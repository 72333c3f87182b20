import { describe, expect, it } from 'vitest';
import { conformance } from '../../../src/testing/index.js';
import { bundledKits } from '../../conformance/kits/index.js';

const real = bundledKits.find(({ definition }) => definition.platform === 'telegram');
const reason = 'nobody has written a simulator';

async function offline() {
  if (real === undefined) throw new Error('There is no kit of Telegram.');
  const { simulator: _, account: __, chat: ___, ...kit } = real;
  const account = { credentials: { bot_token: '123456:not-dialled-not-dialled-not-dialled' }, settings: {} };
  return conformance({ ...kit, offline: { reason, account } }, { effort: 'quick' });
}

describe('a conformance kit without a simulator', () => {
  it('runs the checks that need no platform, and skips the others with their reason', async () => {
    const { results, passed } = await offline();
    expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(passed).toBe(true);
    const made = results.filter(({ outcome }) => outcome === 'pass').map(({ number }) => number);
    expect(made).toEqual([1, 2, 3, 4, 9, 10, 12, 27, 31]);
    const skipped = results.filter(({ detail }) => detail === reason).map(({ number }) => number);
    expect(skipped).toEqual(
      expect.arrayContaining([6, 7, 8, 11, 15, 16, 17, 18, 19, 21, 22, 25, 28, 29, 30]),
    );
  });

  it('lists the claims that only a platform can prove', async () => {
    const { unproved } = await offline();
    const cells = unproved.filter((each) => each.reason === reason).map(({ cell }) => cell);
    expect(cells).toEqual(
      expect.arrayContaining([
        'no secret in logs, errors, health, envelopes or links',
        'ids that are sent back',
        'the longest text as the platform takes it',
        'edit',
      ]),
    );
  });
});
