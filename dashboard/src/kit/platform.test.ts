import { describe, expect, it } from 'vitest';
import { platformName } from './platform';

describe('The name of a platform', () => {
  it.each([
    ['telegram', 'Telegram'],
    ['sms', 'SMS'],
    ['my-chat', 'My-chat'],
    ['', ''],
  ])('of %j is %j', (id, name) => {
    expect(platformName(id)).toBe(name);
  });
});
