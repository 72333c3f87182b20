import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMrkdwn } from '../../../../../adapters/slack/inbound/from-mrkdwn.js';
import { renderMrkdwn } from '../../../../../adapters/slack/outbound/to-mrkdwn.js';
import type { Mark, Span } from '../../../../../src/contract/index.js';

const parse = (source: string) => parseMrkdwn(source, (id) => ({ U1AA: 'Ann' })[id]);
const render = (text: string, ...spans: Span[]) => renderMrkdwn({ text, spans, attachments: [] });
const span = (mark: Mark, start: number, end: number, value?: string): Span => ({
  mark,
  start,
  end,
  ...(value === undefined ? {} : { value }),
});

describe('Slack mrkdwn, read', () => {
  it.each<[string, string, Span[]]>([
    [
      '*bold* _it_ ~gone~ `code`',
      'bold it gone code',
      [span('bold', 0, 4), span('italic', 5, 7), span('strike', 8, 12), span('code', 13, 17)],
    ],
    ['*_both_*', 'both', [span('italic', 0, 4), span('bold', 0, 4)]],
    ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name', []],
    ['* not bold * and *open', '* not bold * and *open', []],
    ['&lt;b&gt; &amp;amp;', '<b> &amp;', []],
    ['<https://a.example/?x=1&amp;y=2|here>', 'here', [span('link', 0, 4, 'https://a.example/?x=1&y=2')]],
    ['<https://a.example>', 'https://a.example', [span('link', 0, 17, 'https://a.example')]],
    ['<mailto:a@b.c|a@b.c>', 'a@b.c', [span('link', 0, 5, 'mailto:a@b.c')]],
    [
      'hi <@U1AA> and <@U2BB|bob> and <@U3CC>',
      'hi @Ann and @bob and @U3CC',
      [span('mention', 3, 7, 'U1AA'), span('mention', 12, 16, 'U2BB'), span('mention', 21, 26, 'U3CC')],
    ],
    [
      '<#C1|general> <!here> <!channel|channel> <!subteam^S1|@ops> <!date^1^{date}|today>',
      '#general @here @channel @ops today',
      [],
    ],
    ['```a *b*\n<https://x.y>```', 'a *b*\nhttps://x.y', [span('code_block', 0, 17)]],
    ['&gt; one\n&gt; *two*\nthree', 'one\ntwo\nthree', [span('quote', 0, 7), span('bold', 4, 7)]],
    ['`` <> <@ ** __', '`` <> <@ ** __', []],
  ])('%s', (source, text, spans) => {
    const parsed = parse(source);
    expect(parsed.text).toBe(text);
    expect(new Set(parsed.spans)).toEqual(new Set(spans));
  });

  it('never throws on text that is all markup', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('*', '_', '~', '`', '<', '>', '|', '&gt;', '\n', ' ', 'a', '@U1', 'https:'),
        }),
        (source) => {
          const { text, spans } = parse(source);
          for (const { start, end } of spans) expect(start < end && end <= text.length).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  // A parser with quadratic time would exceed the test's time limit.
  it.each(['*a ', '<', '`', '*a _b ~c ', '*_~', '&gt; *', '```', '<a ', '*a <b '])(
    'reads 3,000,000 characters of %j',
    (unit) => {
      expect(parse(unit.repeat(3_000_000 / unit.length)).text.length).toBeGreaterThan(0);
    },
  );
});

describe('Slack mrkdwn, written', () => {
  it('escapes text that Slack would parse as markup', () => {
    expect(render('<!channel> & <@U1>').text).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;');
  });

  it.each<[string, Span[], string]>([
    [
      'bold it gone code',
      [span('bold', 0, 4), span('italic', 5, 7), span('strike', 8, 12), span('code', 13, 17)],
      '*bold* _it_ ~gone~ `code`',
    ],
    ['both', [span('bold', 0, 4), span('italic', 0, 4)], '*_both_*'],
    ['a\nb ', [span('bold', 0, 4)], '*a*\n*b* '],
    ['title', [span('heading', 0, 5, '1')], '*title*'],
    [
      'see here',
      [span('link', 4, 8, 'https://a.example/?a|b&c>')],
      'see <https://a.example/?a%7Cb&amp;c%3E|here>',
    ],
    ['hi @Ann', [span('mention', 3, 7, 'U1AA')], 'hi <@U1AA>'],
    ['one\ntwo\nthree', [span('quote', 0, 7), span('bold', 4, 7)], '&gt; one\n&gt; *two*\nthree'],
    ['bold link', [span('bold', 0, 9), span('link', 5, 9, 'https://a.b')], '*bold <https://a.b|link>*'],
  ])('%j %j', (text, spans, expected) => {
    expect(render(text, ...spans)).toEqual({ text: expected, lost: new Set() });
  });

  it.each<[string, Span]>([
    ['abc', span('bold', 1, 2)],
    ['a*b', span('bold', 0, 3)],
    ['abc', span('underline', 0, 3)],
    ['abc', span('spoiler', 0, 3)],
    ['abc', span('list', 0, 3)],
    ['abc', span('mention', 0, 3, '123456789')],
    ['abc', span('link', 0, 3, 'javascript:alert(1)')],
    ['abc', span('quote', 1, 2)],
    ['a`b', span('code', 0, 3)],
  ])('keeps the text %j if %j cannot be shown, and reports it', (text, mark) => {
    expect(render(text, mark)).toEqual({ text, lost: new Set([mark.mark]) });
  });

  it('is parsed back to the original', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'B', 'é', '7', '&', '<', '>', '👩‍👩‍👧', 'ש', '.'),
      minLength: 1,
      maxLength: 6,
    });
    const marks = fc.constantFrom<Mark>('bold', 'italic', 'strike', 'code', 'link');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.option(marks), fc.constantFrom(' ', '\n', ' & ')), { minLength: 1 }),
        (words) => {
          let text = '';
          const spans: Span[] = [];
          for (const [content, mark, gap] of words) {
            if (mark !== null)
              spans.push(
                span(
                  mark,
                  text.length,
                  text.length + content.length,
                  mark === 'link' ? 'https://x.example/?a=1&b=2' : undefined,
                ),
              );
            text += content + gap;
          }
          const { text: rendered, lost } = render(text, ...spans);
          expect(lost).toEqual(new Set());
          fc.pre(!/^>/m.test(text));
          expect(parse(rendered)).toEqual({ text, spans });
        },
      ),
    );
  });

  it('never loses text for any spans', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '.', 'é');
    const anySpan = fc.tuple(
      fc.constantFrom<Mark>(
        'bold',
        'italic',
        'strike',
        'underline',
        'heading',
        'code',
        'quote',
        'code_block',
      ),
      fc.nat(30),
      fc.integer({ min: 1, max: 30 }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 1, maxLength: 40 }),
        fc.array(anySpan, { maxLength: 4 }),
        (text, raw) => {
          const spans = raw
            .map(([mark, start, length]) =>
              span(mark, Math.min(start, text.length - 1), Math.min(start + length, text.length)),
            )
            .filter(({ start, end }) => start < end);
          const visible = render(text, ...spans).text.replace(/&gt; |[*_~`]/g, '');
          expect(visible).toBe(text);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('a text of more than 60,000 characters', () => {
  it('keeps its text and is shown without formatting, because Slack never sends one', () => {
    const source = `${'*a* '.repeat(15_000)}&lt;`;
    expect(parseMrkdwn(source, () => undefined)).toEqual({ text: `${'*a* '.repeat(15_000)}<`, spans: [] });
    const { spans } = parseMrkdwn('*a* '.repeat(10_000), () => undefined);
    expect(spans).toHaveLength(10_000);
  });
});
