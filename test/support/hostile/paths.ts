import type { HostileCase } from './scene.js';

const get = (name: string, path: string, status: readonly number[] = [404]): HostileCase => ({
  name,
  status,
  act: (scene) => scene.ask('GET', path),
});

/** Misleading paths and hidden methods. */
export const paths: readonly HostileCase[] = [
  get('a dot segment in a path', '/openapi/x/../messages'),
  get('an encoded dot segment', '/openapi/x/%2e%2e/messages'),
  get('an encoded slash', '/openapi%2fmessages'),
  get('a doubled slash', '//openapi//messages'),
  get('a trailing slash', '/openapi/messages/'),
  get('another letter case', '/OpenAPI/Messages'),
  get('a backslash', '/openapi\\messages'),
  get('a parameter of the path', '/openapi/messages;jsessionid=1'),
  get('U+0000 in a path', '/openapi/messages%00', [400, 404]),
  get('an escape that is not complete', '/openapi/messages/%zz', [400, 404]),
  get('an overlong form of a dot', '/openapi/%c0%ae%c0%ae/messages', [400, 404]),
  get('a version with a leading zero', '/v01/openapi/messages', [400, 404]),
  get('a version that does not exist', '/v3/openapi/messages', [400]),
  get('a path of 9 KiB', `/openapi/messages/${'a'.repeat(9_000)}`, [400, 414]),
  get('a file above the pages of the dashboard', '/dashboard/assets/..%2f..%2f..%2fpackage.json', [400, 404]),
  get(
    'a file above the pages, in two encodings',
    '/dashboard/assets/%252e%252e/%252e%252e/package.json',
    [400, 404],
  ),
  get('an absolute path below the pages', '/dashboard/assets//etc/passwd', [400, 404]),
  get('the master key by a link to a file', '/media/..%2f..%2fmaster.key'),
  get('a link to a file with a made-up token', `/media/${'A'.repeat(120)}`),
  get(
    'a link to a file whose token is JSON',
    `/media/${Buffer.from('{"id":"1","exp":9e12}').toString('base64url')}`,
  ),
  get('a page of a call with a made-up token', `/join/${'A'.repeat(64)}`),
  get('the folder of the version control', '/.git/config'),
  get('a file of variables', '/.env'),
  {
    name: 'a method that a header puts over another',
    status: [200],
    act: (scene) =>
      scene.ask('GET', `/openapi/conversations/${String(scene.conversation.id)}`, {
        headers: { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
      }),
  },
  {
    name: 'a method that the query puts over another',
    status: [200, 400],
    act: (scene) =>
      scene.ask('GET', `/openapi/conversations/${String(scene.conversation.id)}?_method=DELETE`),
  },
];
