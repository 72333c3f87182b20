import { describe, expect, it } from 'vitest';
import { conversationReference } from '../../../../src/core/messages/bodies.js';
import { locale, platformId, timestamp } from '../../../../src/core/schema/scalars.js';

describe('the reference to a conversation', () => {
  it.each([
    ['12', 12],
    ['00012', 12],
    [12, 12],
    ['019B76DA-A800-7000-8000-0000000000C1', '019b76da-a800-7000-8000-0000000000c1'],
  ])('is an id or number: %s', (sent, read) => {
    expect(conversationReference.parse(sent)).toBe(read);
  });

  it('has an unused id when its number is too high, so that it is not found', () => {
    for (const sent of ['9'.repeat(16), '9'.repeat(400)]) {
      expect(conversationReference.parse(sent)).toBe(Number.MAX_SAFE_INTEGER);
    }
  });

  it.each(['', '1.5', '-1', 'x', 0, 1.5])('is not %j', (sent) => {
    expect(conversationReference.safeParse(sent).success).toBe(false);
  });
});

describe('a leap second', () => {
  it.each([
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T05:29:60.5+05:30', '2017-01-01T00:00:00.500Z'],
  ])('ends a month in UTC: %s', (sent, read) => expect(timestamp.parse(sent)).toBe(read));

  it.each([
    '2020-01-01T12:00:60Z',
    '2016-12-30T23:59:60Z',
    '2016-12-31T23:59:60+01:00',
    '2017-01-01T23:00:60Z',
  ])('does not exist at %s', (sent) => expect(timestamp.safeParse(sent).success).toBe(false));
});

describe('a language tag', () => {
  it.each([
    'de-DE',
    'zh-Hant-TW',
    'sl-rozaj-biske-1994',
    'de-DE-u-co-phonebk',
    'en-x-private',
    'x-private-use',
    'zh-yue-HK',
    'zh-cmn-Hans-CN',
    'zh-min-nan',
    'art-lojban',
    'i-klingon',
    'en-GB-oed',
  ])('may be %s', (tag) => {
    expect(locale.parse(tag)).toBe(tag);
  });

  it.each([
    '',
    'x',
    'x-',
    'x-123456789',
    'i-nobody',
    'd',
    'en_US',
    'de-DE-',
    'not a tag',
    'en-a',
    'de-1996-1996',
  ])('is not %j', (tag) => {
    expect(locale.safeParse(tag).success).toBe(false);
  });
});

describe('the id of a platform', () => {
  it.each(['telegram', 'x-2_y'])('may be %s', (id) => expect(platformId.parse(id)).toBe(id));

  // Paths have `connections` in the place of a platform's id.
  it.each(['connections', 'x', 'Telegram', '1a', 'a'.repeat(33)])('is not %s', (id) => {
    expect(platformId.safeParse(id).success).toBe(false);
  });

  it('may begin with a reserved word', () => {
    expect(platformId.parse('connections2')).toBe('connections2');
  });
});
