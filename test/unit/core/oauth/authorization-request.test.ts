import { describe, expect, it } from 'vitest';
import {
  authorizationResponse,
  type Parameters,
  readAuthorizationRequest,
  single,
} from '../../../../src/core/oauth/authorization-request.js';

const valid = {
  response_type: 'code',
  scope: 'messages.write user.read',
  state: 's',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};
const read = (change: Partial<Record<keyof typeof valid, string>> = {}, more: Parameters = []) =>
  readAuthorizationRequest(
    [...Object.entries({ ...valid, ...change }), ...more],
    ['user.read', 'messages.read', 'messages.write'],
  );

describe('an authorization request', () => {
  it('lists its scopes in the order of the contract, each once', () => {
    expect(read()).toEqual({
      scopes: ['user.read', 'messages.write'],
      state: 's',
      codeChallenge: 'x'.repeat(43),
    });
    expect(read({ scope: 'user.read  user.read' })).toMatchObject({ scopes: ['user.read'] });
  });

  it('has a state of up to 512 code points', () => {
    expect(read({ state: '👍'.repeat(512) })).toMatchObject({ state: '👍'.repeat(512) });
    expect(read({ state: 'x'.repeat(513) })).toMatchObject({ error: 'invalid_request' });
  });

  it.each([
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'ü'.repeat(43) }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: '' }, 'invalid_request'],
    [{ scope: 'calls.read' }, 'invalid_scope'],
    [{ scope: 'user.read calls.read' }, 'invalid_scope'],
    [{ scope: 'USER.READ' }, 'invalid_scope'],
  ])('%j is %s', (change, error) => {
    expect(read(change)).toMatchObject({ error });
  });

  it('has each parameter once; others are ignored', () => {
    expect(read({}, [['state', 's']])).toMatchObject({ error: 'invalid_request' });
    expect(
      read({}, [
        ['prompt', 'none'],
        ['prompt', 'login'],
      ]),
    ).toMatchObject({ state: 's' });
  });
});

it('a parameter that is empty or sent twice has no value', () => {
  const sent: Parameters = [
    ['a', '1'],
    ['b', ''],
    ['c', '1'],
    ['c', '1'],
  ];
  expect(['a', 'b', 'c', 'd'].map((name) => single(sent, name))).toEqual([
    '1',
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  ['https://a.example/cb', 'https://a.example/cb?code=1&state=a+b'],
  ['https://a.example', 'https://a.example?code=1&state=a+b'],
  ['https://a.example/cb?x=1', 'https://a.example/cb?x=1&code=1&state=a+b'],
  ['https://a.example/cb?', 'https://a.example/cb?code=1&state=a+b'],
])('the result is added to %s without changing it', (uri, location) => {
  expect(authorizationResponse(uri, { code: '1', error: undefined, state: 'a b' })).toBe(location);
});
