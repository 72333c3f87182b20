import { describe, expect, it } from 'vitest';
import { nameIn, roleIn, textIn } from '../../../../src/app/access/openid-claims.js';

const map = new Map([
  ['crew', 'admin'],
  ['support', 'member'],
] as const);

describe('the role of a claim', () => {
  it.each([
    [{ groups: ['support', 'crew'] }, 'groups', 'admin'],
    [{ groups: 'support' }, 'groups', 'member'],
    [{ 'https://example.test/roles': ['support'] }, 'https://example.test/roles', 'member'],
    [{ realm_access: { roles: ['crew'] } }, 'realm_access.roles', 'admin'],
    [{ groups: ['others', 7, null] }, 'groups', null],
    [{ groups: {} }, 'groups', null],
    [{}, 'constructor.name', null],
    [{ groups: ['support'] }, 'roles', null],
  ])('of %j in %s is %s', (claims, claim, role) => {
    expect(roleIn(claims, claim, map)).toBe(role);
  });

  it('is the role for everyone (*) if no value has a higher one', () => {
    const withEveryone = new Map([...map, ['*', 'viewer'] as const]);
    expect(roleIn({}, 'groups', withEveryone)).toBe('viewer');
    expect(roleIn({ groups: ['support'] }, 'groups', withEveryone)).toBe('member');
  });
});

describe('a text of a claim', () => {
  it('is limited in length and contains nothing that the database refuses', () => {
    expect(textIn('a\u0000b\ud800', 10)).toBe('ab\ufffd');
    expect([textIn('abc', 2), textIn(' ', 2), textIn(7, 2)]).toEqual([undefined, undefined, undefined]);
    expect(nameIn({ name: 'n'.repeat(129), preferred_username: 'ada' })).toBe('ada');
  });
});
