import { expect, it } from 'vitest';
import { readEmoji } from '../../../../src/core/messages/emoji.js';

it.each(['👍', '❤️', '❤', '👩‍👩‍👧', '🇩🇪', '#️⃣', '1⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', ':+1:', ':party_parrot-2:', `:${'a'.repeat(62)}:`])(
  'takes %s',
  (emoji) => {
    expect(readEmoji(emoji)).toBe(emoji);
  },
);

it('leaves out a variation selector that belongs nowhere', () => {
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
])('refuses %j', (text) => {
  expect(readEmoji(text)).toBeUndefined();
});
