import { describe, expect, it } from 'vitest';
import type { PlannedContent } from '../../../../../src/core/broadcasts/rehearsal/planner.js';
import { PreviewChoice } from '../../../../../src/core/broadcasts/rehearsal/previews.js';

const PLAIN: PlannedContent = { steps: [], parts: 1, degradations: [], billed: null, refusal: null };
const recipient = (id: number, platform: string, more: object = {}) => ({
  id: String(id),
  user_id: String(id),
  platform,
  variant: null,
  due_at: null,
  text: 'Hello',
  connection_id: null,
  chat: String(id),
  address: null,
  is_new: false,
  ...more,
});

describe('the previews of a rehearsal', () => {
  it('are twenty recipients, each once, spread over the audience and its platforms', () => {
    const choice = new PreviewChoice();
    for (let n = 0; n < 10_000; n += 1)
      choice.consider(recipient(n, ['a', 'b', 'c', 'd'][n % 4] ?? ''), PLAIN);
    const chosen = choice.chosen(20);
    expect(new Set(chosen.map(({ recipient: { id } }) => id)).size).toBe(20);
    for (const platform of ['a', 'b', 'c', 'd']) {
      const own = chosen.filter((each) => each.recipient.platform === platform);
      expect(own.length).toBeGreaterThanOrEqual(4);
    }
  });

  it('begin with the refused recipient and the longest text, and include every variant', () => {
    const choice = new PreviewChoice();
    for (let n = 0; n < 1_000; n += 1) {
      const more = { variant: n % 10 === 0 ? 'b' : 'a', ...(n === 700 ? { text: 'long '.repeat(50) } : {}) };
      const refusal = n === 900 ? { code: 'too_long', message: 'Too long.' } : null;
      choice.consider(recipient(n, 'sms', more), { ...PLAIN, refusal });
    }
    const chosen = choice.chosen(20);
    expect(chosen.slice(0, 2).map(({ reason, recipient: { id } }) => [reason, id])).toEqual([
      ['refused', '900'],
      ['longest', '700'],
    ]);
    expect(new Set(chosen.map(({ recipient: { variant } }) => variant))).toEqual(new Set(['a', 'b']));
    expect(choice.chosen(1)).toHaveLength(1);
  });

  it('are sampled from the whole of a large audience', () => {
    const choice = new PreviewChoice();
    for (let n = 0; n < 100_000; n += 1) choice.consider(recipient(n, 'sms', { is_new: n > 5 }), PLAIN);
    const ids = choice.chosen(20).map(({ recipient: { id } }) => Number(id));
    expect(Math.max(...ids)).toBeGreaterThan(10_000);
  });
});
