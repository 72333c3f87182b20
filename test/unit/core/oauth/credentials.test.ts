import { describe, expect, it } from 'vitest';
import { hashCredential } from '../../../../src/core/access/api-key-format.js';
import {
  generateOAuthCredential,
  isClient,
  readOAuthCredential,
} from '../../../../src/core/oauth/credentials.js';
import type { OAuthApp } from '../../../../src/core/oauth/ports.js';
import { grantable } from '../../../../src/core/oauth/role-scopes.js';

describe('codes and tokens of OAuth', () => {
  it.each([
    ['code', 'tl_ac_'],
    ['access', 'tl_at_'],
    ['refresh', 'tl_rt_'],
  ] as const)('a %s is %s and 43 base62 digits, and is found by its hash', (kind, prefix) => {
    const { text, hash } = generateOAuthCredential(kind);
    expect(text).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{43}$`));
    expect(hash).toEqual(hashCredential(text));
    expect(readOAuthCredential(text, kind)).toEqual(hash);
    expect(generateOAuthCredential(kind).text).not.toBe(text);
  });

  it('are not confused with each other, or with anything longer', () => {
    const { text } = generateOAuthCredential('access');
    expect(readOAuthCredential(text, 'refresh', 'code')).toBeUndefined();
    expect(readOAuthCredential(`${text}0`, 'access')).toBeUndefined();
    expect(readOAuthCredential(`${text}\n`, 'access')).toBeUndefined();
    expect(readOAuthCredential(text.slice(0, -1), 'access')).toBeUndefined();
  });
});

describe('an OAuth app', () => {
  const app = (type: OAuthApp['type'], secretHash: Buffer | null) => ({ type, secretHash }) as OAuthApp;

  it('is authenticated by its secret, and a public app by sending none', () => {
    const confidential = app('confidential', hashCredential('secret'));
    expect(['secret', 'Secret', '', undefined].map((sent) => isClient(confidential, sent))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([undefined, 'any'].map((sent) => isClient(app('public', null), sent))).toEqual([true, false]);
    expect(isClient(app('confidential', null), undefined)).toBe(false);
  });
});

it('a viewer can grant read access only', () => {
  expect(grantable(['messages.read', 'messages.write'], 'viewer')).toEqual(['messages.read']);
  expect(grantable(['messages.read', 'messages.write'], 'member')).toEqual([
    'messages.read',
    'messages.write',
  ]);
});
