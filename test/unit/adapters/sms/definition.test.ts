import { describe, expect, it } from 'vitest';
import { smsDefinition } from '../../../../adapters/sms/definition.js';

describe('the sender of an SMS connection', () => {
  it.each(['+14155550100', '24365', 'SHOP', 'My-Shop_2', 'A & B', '4you'])('may be %s', (from) => {
    expect(smsDefinition.settings.parse({ from })).toEqual({ from });
  });

  it.each([
    ['a number without its plus', '14155550100'],
    ['a number with blanks', '+1 415 5550'],
    ['a name of twelve characters', 'TwelveLetter'],
    ['a name with other characters', 'Café'],
    ['nothing', ''],
  ])('is not %s', (_, from) => {
    const { error } = smsDefinition.settings.safeParse({ from });
    expect(error?.issues.map(({ path }) => path)).toEqual([['from']]);
  });
});
