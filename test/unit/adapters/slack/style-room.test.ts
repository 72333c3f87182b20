import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/contract/index.js';
import { slackBotContent as read } from '../../../support/slack-decode.js';

const PIECE = '*a* _b_ ';
const LONG = PIECE.repeat(2_000);

describe('a Slack message of many long texts', () => {
  const written = (text: string) => text.split('*a* _b_').length - 1;

  it.each<[string, (text: string) => JsonObject]>([
    ['blocks', (text) => ({ type: 'section', text: { type: 'mrkdwn', text } })],
    ['Markdown blocks', (text) => ({ type: 'markdown', text: text.slice(0, 12_000) })],
  ])('has styles in the first of its %s, and keeps all of its words', (_, block) => {
    const { text, spans } = read({ blocks: Array.from({ length: 5 }, () => block(LONG)) });
    expect(spans.length).toBeGreaterThan(2_000);
    expect(spans.length).toBeLessThan(12_000);
    expect(written(text)).toBeGreaterThan(4_000);
    expect(text.startsWith('a b a b')).toBe(true);
    expect(text.endsWith(PIECE.trimEnd()) || text.endsWith(PIECE)).toBe(true);
  });

  it('has styles in the first of its attachments, and keeps all of its words', () => {
    const { text, spans } = read({ attachments: Array.from({ length: 5 }, () => ({ pretext: LONG })) });
    expect(spans.length).toBeLessThan(12_000);
    expect(text.startsWith('a b a b')).toBe(true);
    expect(written(text)).toBe(3 * 2_000);
  });

  it('keeps the words of rich text beyond the limit of styles', () => {
    const element = (at: number) => ({ type: 'text', text: `w${at} `, style: { bold: true } });
    const sections = Array.from({ length: 5 }, (_, part) => ({
      type: 'rich_text_section',
      elements: Array.from({ length: 1_000 }, (_, at) => element(part * 1_000 + at)),
    }));
    const { text, spans } = read({ blocks: [{ type: 'rich_text', elements: sections }] });
    expect(text).toContain('w0 w1 ');
    expect(text).toContain('w4998 w4999');
    expect(spans.length).toBeGreaterThan(0);
  });
});
