import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { JoinTokens, joinTokenMs } from '../../../../src/core/calls/join-token.js';

const claim = { callId: uuidv7(), userId: uuidv7() };

function tokensAt(start: number) {
  const clock = { now: start };
  return { clock, tokens: new JoinTokens(Buffer.alloc(32, 1), () => clock.now) };
}

describe('a join token', () => {
  it('contains its call and user, in characters that a subprotocol may have', () => {
    const { tokens } = tokensAt(1_000);
    const { token, expiresAt } = tokens.issue(claim);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(tokens.read(token)).toEqual(claim);
    expect(expiresAt.getTime()).toBe(1_000 + joinTokenMs);
  });

  it('is valid for exactly ten minutes', () => {
    const { clock, tokens } = tokensAt(5_000);
    const { token } = tokens.issue(claim);
    clock.now += 600_000 - 1;
    expect(tokens.read(token)).toEqual(claim);
    clock.now += 1;
    expect(tokens.read(token)).toBeUndefined();
  });

  it('is invalid once any of its characters is changed', () => {
    const { tokens } = tokensAt(1_000);
    const { token } = tokens.issue(claim);
    for (let at = 0; at < token.length; at += 1) {
      const altered = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(tokens.read(altered), String(at)).toBeUndefined();
    }
    for (const other of [
      '',
      'x',
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      token.slice(1),
      randomBytes(70).toString('base64url'),
    ]) {
      expect(tokens.read(other)).toBeUndefined();
    }
  });

  it('is invalid in an installation with another secret', () => {
    const { token } = tokensAt(1_000).tokens.issue(claim);
    expect(new JoinTokens(Buffer.alloc(32, 2), () => 1_000).read(token)).toBeUndefined();
  });
});
