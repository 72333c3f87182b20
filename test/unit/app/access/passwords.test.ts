import { describe, expect, it } from 'vitest';
import { Argon2Passwords } from '../../../../src/app/access/passwords.js';

describe('passwords', () => {
  const passwords = new Argon2Passwords();

  it('are stored as argon2id and match only the same password', async () => {
    const stored = await passwords.hash('correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.matches(stored, 'correct horse')).toBe(true);
    expect(await passwords.matches(stored, 'correct horsf')).toBe(false);
  });

  it('never match if no password is set', async () => {
    expect(await passwords.matches(undefined, 'anything')).toBe(false);
  });

  it('all match when many are checked at once', async () => {
    const stored = await passwords.hash('one');
    const all = await Promise.all(Array.from({ length: 12 }, () => passwords.matches(stored, 'one')));
    expect(all).toEqual(Array(12).fill(true));
  });
});
