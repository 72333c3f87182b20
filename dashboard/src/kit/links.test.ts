import { describe, expect, it } from 'vitest';
import { linksIn } from './links';

const shown = (text: string) => linksIn(text).map((part) => (typeof part === 'string' ? part : [part.text]));

describe('The web addresses of a text', () => {
  it.each([
    ['no address', ['no address']],
    ['', []],
    ['https://example.com/a?b=1', [['https://example.com/a?b=1']]],
    ['See https://example.com/a, please.', ['See ', ['https://example.com/a'], ', please.']],
    ['(at http://example.com).', ['(at ', ['http://example.com'], ').']],
    ['https://example.com/Lamp_(desk)', [['https://example.com/Lamp_(desk)']]],
    ['https://a.example https://b.example', [['https://a.example'], ' ', ['https://b.example']]],
    ['javascript:alert(1)', ['javascript:alert(1)']],
    ['https://', ['https://']],
  ])('are found in %j', (text, parts) => {
    expect(shown(text)).toEqual(parts);
  });

  it('leave the text as it is when their parts are joined', () => {
    const text = 'a https://x.example/?q=(1). b\nhttp://y.example…';
    expect(shown(text).flat().join('')).toBe(text);
  });
});
