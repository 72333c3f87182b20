import { describe, expect, it } from 'vitest';
import { triggerAt, withSuggestion, withVariables } from './trigger';

describe('A sign that asks for suggestions', () => {
  it.each([
    ['/', 1, false, 'template', ''],
    ['/order sh', 9, false, 'template', 'order sh'],
    ['@', 1, true, 'member', ''],
    ['Ask @gra', 8, true, 'member', 'gra'],
    ['Ask @gra about it', 8, true, 'member', 'gra'],
  ])('is found in "%s"', (text, caret, isNote, kind, query) => {
    expect(triggerAt(text, caret, isNote)).toMatchObject({ kind, query });
  });

  it.each([
    ['and/or', 6, false],
    ['/first\nsecond', 13, false],
    ['@grace', 6, false],
    ['mail ada@example.test', 21, true],
    ['@grace hello', 12, true],
  ])('is not found in "%s"', (text, caret, isNote) => {
    expect(triggerAt(text, caret, isNote)).toBeUndefined();
  });
});

describe('A suggestion', () => {
  const member = { kind: 'member', query: 'gra', from: 4, to: 8 } as const;

  it('replaces what asked for it and leaves the rest', () => {
    expect(withSuggestion('Ask @gra about it', member, '@grace ')).toEqual({
      text: 'Ask @grace  about it',
      start: 11,
      end: 11,
    });
  });

  it('selects the first variable that is left to fill in', () => {
    const template = { kind: 'template', query: '', from: 0, to: 1 } as const;
    const known = { 'user.display_name': 'Ada' };
    const insert = withVariables('Hello {{user.display_name}}, parcel {{ number }} is here.', known);
    const { text, start, end } = withSuggestion('/', template, insert);
    expect(text).toBe('Hello Ada, parcel {{ number }} is here.');
    expect(text.slice(start, end)).toBe('{{ number }}');
  });
});
