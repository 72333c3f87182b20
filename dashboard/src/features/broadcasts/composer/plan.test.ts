import { describe, expect, it } from 'vitest';
import type { Broadcast } from '../queries';
import { bodyOf, EMPTY, isComplete, planOf, readAddresses, variablesOf } from './plan';

describe('The plan of a broadcast', () => {
  it('names each variable of a text once, without those of the contact', () => {
    const text = 'Hi {{user.display_name}}, {{ code }} and {{code}} until {{day}}. {{}} {{ }} {{{x}}}';
    expect(variablesOf(text)).toEqual(['code', 'day', 'x']);
  });

  it('reads addresses with spaces, commas and blank lines, and numbers the lines that name none', () => {
    const text = 'sms +4915112345678\n\ntelegram,77112233\nSMS; +44 1632 960001\n+4915112345678\nsms';
    expect(readAddresses(text)).toEqual({
      recipients: [
        { platform: 'sms', address: '+4915112345678' },
        { platform: 'telegram', address: '77112233' },
        { platform: 'sms', address: '+44 1632 960001' },
      ],
      wrongLines: [5, 6],
    });
  });

  it('sends no value of a variable that is empty or no longer in the text', () => {
    const plan = { ...EMPTY, text: '{{a}} {{b}}', variables: { a: '1', b: '', gone: '2' } };
    expect(bodyOf(plan, ['a', 'b']).variables).toEqual({ a: '1' });
  });

  it('is complete with a text and an audience', () => {
    expect(isComplete({ ...EMPTY, text: 'Hello' })).toBe(false);
    expect(isComplete({ ...EMPTY, filter: 'email:a@example.com' })).toBe(false);
    expect(isComplete({ ...EMPTY, text: ' ', filter: 'email:a@example.com' })).toBe(false);
    expect(isComplete({ ...EMPTY, text: 'Hello', addresses: 'sms' })).toBe(false);
    expect(isComplete({ ...EMPTY, text: 'Hello', addresses: 'sms +4915112345678' })).toBe(true);
    expect(isComplete({ ...EMPTY, templateId: 'a', segmentIds: ['b'] })).toBe(true);
  });

  it('keeps what a program stored in a draft and the form does not show', () => {
    const stored = {
      name: 'Sale',
      category: 'marketing',
      text: 'Hello {{who}}',
      template_id: null,
      content_type: 'text',
      variants: [],
      platforms: [],
      throttle: null,
      fallback: null,
      schedule: null,
      variables: { who: 7, other: { deep: true } },
      audience: {
        user_ids: ['u'],
        segment_ids: ['s'],
        recipients: [{ platform: 'sms', address: '+4915112345678', variables: { code: 'A' } }],
        filter: null,
        exclude: { user_ids: ['v'], segment_ids: ['t'] },
      },
    } as unknown as Broadcast;
    const { audience, variables } = bodyOf(planOf(stored), ['who']);
    expect(variables).toEqual({ who: '7', other: { deep: true } });
    expect(audience).toEqual(stored.audience);
  });
});
