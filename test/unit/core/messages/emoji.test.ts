import { expect, it } from 'vitest';
import { readEmoji } from '../../../../src/core/messages/emoji.js';

it.each(['👍', '❤️', '❤', '👩‍👩‍👧', '🇩🇪', '#️⃣', '1⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', ':+1:', ':party_parrot-2:', `:${'a'.repeat(62)}:`])(
  'an emoji can be %s',
  (emoji) => {
    expect(readEmoji(emoji)).toBe(emoji);
  },
);

it('an emoji loses a misplaced variation selector', () => {
  expect(readEmoji('👍\uFE0F')).toBe('👍');
});

it.each([
  '',
  'a',
  '1',
  '#',
  '👍👍',
  '👍 ',
  ':Up:',
  ':a b:',
  '::',
  ':a',
  '\uFE0F',
  '🇩',
  `:${'a'.repeat(63)}:`,
])('an emoji can’t be %j', (text) => {
  expect(readEmoji(text)).toBeUndefined();
});
