import { generateApiKey } from '../../../src/core/access/api-key-format.js';
import { KeyMaker } from '../keys.js';
import type { Asked, HostileCase, Scene } from './scene.js';

type Headers = Asked['headers'];

/** A request for messages with these headers and without the key. */
const unauthorized = (
  name: string,
  headers: (scene: Scene) => Headers,
  path = '/openapi/messages',
): HostileCase => ({
  name,
  status: [401],
  says: 'Missing or invalid credentials.',
  act: (scene) => scene.ask('GET', path, { key: null, headers: headers(scene) ?? {} }),
});

/** An action that a key with only messages:read may not do. */
const beyond = (
  name: string,
  method: string,
  path: (scene: Scene) => string,
  body?: object,
): HostileCase => ({
  name,
  status: [403],
  says: 'access_denied',
  act: (scene) => scene.ask(method, path(scene), { key: scene.reader, body }),
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Requests without the required permission. */
export const credentials: readonly HostileCase[] = [
  unauthorized('no key', () => ({})),
  unauthorized('an empty key', () => ({ 'x-api-key': '' })),
  unauthorized('a key in the query', () => ({}), '/openapi/messages?api_key=a&x-api-key=b'),
  unauthorized('a key in a cookie', ({ key }) => ({ cookie: `x-api-key=${key}` })),
  unauthorized('a key as a bearer token', ({ key }) => ({ authorization: `Bearer ${key}` })),
  unauthorized('a key as a password', ({ key }) => ({
    authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  })),
  unauthorized('a key that is sent twice', ({ key }) => ({ 'x-api-key': [key, key] })),
  unauthorized('two keys in one header', ({ key }) => ({ 'x-api-key': `${key}, ${key}` })),
  unauthorized('a key with one letter changed', ({ key }) => ({
    'x-api-key': `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`,
  })),
  unauthorized('a key without its last letter', ({ key }) => ({ 'x-api-key': key.slice(0, -1) })),
  unauthorized('a live key that calls itself a test key', ({ key }) => ({
    'x-api-key': key.replace('tl_live_', 'tl_test_'),
  })),
  unauthorized('a well-formed key that nobody was given', () => ({
    'x-api-key': generateApiKey('live').key,
  })),
  unauthorized('SQL in place of a key', () => ({ 'x-api-key': "' OR 1=1 --" })),
  unauthorized('a pattern in place of a key', () => ({ 'x-api-key': `tl_live_${'%'.repeat(49)}` })),
  unauthorized('a key of 15,000 letters', () => ({ 'x-api-key': 'a'.repeat(15_000) })),
  unauthorized('a token that is signed with no algorithm', () => ({
    authorization: `Bearer ${encoded({ alg: 'none' })}.${encoded({ sub: 'owner', scope: '*' })}.`,
  })),
  unauthorized('an empty bearer token', () => ({ authorization: 'Bearer ' })),
  unauthorized('a right key beside a wrong token', ({ key }) => ({
    'x-api-key': key,
    authorization: `Bearer tl_at_${'a'.repeat(43)}`,
  })),
  unauthorized('the cookie of the dashboard', ({ browser }) => ({ cookie: String(browser.cookie) })),
  {
    name: 'a key that was revoked',
    status: [401],
    act: async (scene) => {
      const key = await new KeyMaker(scene.url, scene.owner).make();
      const { body } = await scene.browser.get<{ data: { id: string; hint: string }[] }>('/keys?limit=100');
      const made = body.data.find(({ hint }) => key.endsWith(hint));
      await scene.browser.must(204, 'DELETE', `/keys/${made?.id}`);
      for (;;) {
        const answer = await scene.ask('GET', '/openapi/messages', { key });
        if (answer.status !== 200) return answer;
      }
    },
  },
  beyond('a message by a key that only reads', 'POST', () => '/openapi/messages', { text: 'a' }),
  beyond(
    'a deletion by a key that only reads',
    'DELETE',
    ({ message }) => `/openapi/messages/${String(message.id)}`,
  ),
  beyond('conversations by a key for messages', 'GET', () => '/openapi/conversations'),
  beyond('contacts by a key for messages', 'GET', () => '/openapi/users'),
  beyond('a connection by a key for messages', 'POST', () => '/openapi/platforms/telegram/connections', {}),
  beyond('a webhook for events that the key may not read', 'POST', () => '/api/webhooks', {
    url: 'https://example.com/',
    events: ['conversation.created'],
  }),
  beyond(
    'a stream of events that the key may not read',
    'GET',
    () => '/openapi/events/stream?events=conversation.created',
  ),
  beyond('broadcasts by a key for messages', 'GET', () => '/openapi/broadcasts'),
];
