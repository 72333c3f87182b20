import { describe, expect, it } from 'vitest';
import { generateApiKey, readApiKey } from '../../../../src/core/access/api-key-format.js';

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const LIVE = 'tl_live_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1RDsnC';
const TEST = 'tl_test_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1bpTSM';

describe('an API key', () => {
  it('consists of its environment, its bytes in base62 and a checksum', () => {
    expect(generateApiKey('live', bytes).key).toBe(LIVE);
    expect(generateApiKey('test', bytes).key).toBe(TEST);
  });

  it('is stored as SHA-256 and its last four characters', () => {
    const { hash, hint } = generateApiKey('live', bytes);
    expect(hash.toString('hex')).toBe('6a28c1ff5f0c16aa3a3b20870a36dff98bec1b78c0fa6985eb638a87841f2174');
    expect(hint).toBe('DsnC');
  });

  it('shows its environment when it is well-formed', () => {
    expect(readApiKey(LIVE)).toBe('live');
    expect(readApiKey(TEST)).toBe('test');
  });

  it('is 57 characters long for any bytes', () => {
    for (const fill of [0x00, 0xff]) {
      const { key } = generateApiKey('live', Buffer.alloc(32, fill));
      expect(key).toHaveLength(57);
      expect(readApiKey(key)).toBe('live');
    }
    expect(generateApiKey('live').key).not.toBe(generateApiKey('live').key);
  });

  it.each([
    ['empty', ''],
    ['one character changed', LIVE.replace('JC7', 'JC8')],
    ['a checksum of another environment', LIVE.replace('live', 'test')],
    ['cut short', LIVE.slice(0, -1)],
    ['another prefix', LIVE.replace('tl_live', 'tl_prod')],
    ['sent twice and joined', `${LIVE}, ${LIVE}`],
    ['followed by a line break', `${LIVE}\n`],
  ])('is refused when it is %s', (_, text) => {
    expect(readApiKey(text)).toBeUndefined();
  });
});
