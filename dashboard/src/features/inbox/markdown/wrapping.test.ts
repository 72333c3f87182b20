import { describe, expect, it } from 'vitest';
import { formatting } from './wrapping';

/** The text after the key press, with the selection in braces. */
function afterKey(key: string, text: string): string {
  const [start, end] = [text.indexOf('{'), text.indexOf('}') - 1];
  const bare = text.replace('{', '').replace('}', '');
  const change = formatting(key, bare, start, end);
  if (change === undefined) return text;
  const next = bare.slice(0, change.start) + change.insert + bare.slice(change.end);
  const { select } = change;
  return `${next.slice(0, select.start)}{${next.slice(select.start, select.end)}}${next.slice(select.end)}`;
}

describe('A key that formats', () => {
  it.each([
    ['b', 'say {hello} now', 'say **{hello}** now'],
    ['B', 'say {hello} now', 'say **{hello}** now'],
    ['i', '{hello}', '_{hello}_'],
    ['e', 'run {npm ci}', 'run `{npm ci}`'],
    ['b', 'say {}', 'say **{}**'],
    ['k', 'see {our page}', 'see [our page]({https://})'],
    ['k', '{https://example.test/a}', '[{}](https://example.test/a)'],
  ])('%s turns “%s” into “%s”', (key, before, wanted) => {
    expect(afterKey(key, before)).toBe(wanted);
  });

  it('takes its mark away again', () => {
    for (const key of ['b', 'i', 'e'])
      expect(afterKey(key, afterKey(key, 'say {hello} now'))).toBe('say {hello} now');
  });

  it('is none of the others', () => {
    expect(formatting('x', 'hello', 0, 5)).toBeUndefined();
  });
});
