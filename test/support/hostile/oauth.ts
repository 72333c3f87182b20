import type { Asked, HostileCase, Scene } from './scene.js';

const REDIRECT = 'https://app.example/callback';
let app: Promise<string> | undefined;

/** The app of the scene, which is registered once. */
function clientId({ browser }: Scene): Promise<string> {
  app ??= browser
    .must<{ client_id: string }>(201, 'POST', '/oauth-apps', {
      name: 'Reader',
      type: 'public',
      redirect_uris: [REDIRECT],
      scopes: ['messages.read'],
    })
    .then((made) => made.client_id);
  return app;
}

const RIGHT = {
  response_type: 'code',
  redirect_uri: REDIRECT,
  scope: 'messages.read',
  state: 'the state',
  code_challenge: 'A'.repeat(43),
  code_challenge_method: 'S256',
};

async function authorize(scene: Scene, change: Readonly<Record<string, string>>, more = '') {
  const query = new URLSearchParams({ ...RIGHT, client_id: await clientId(scene), ...change });
  return scene.ask('GET', `/oauth/authorize?${query}${more}`, {
    key: null,
    headers: { cookie: String(scene.browser.cookie) },
  });
}
/** An authorization that is refused on a page, because the redirect address cannot be trusted. */
const page = (name: string, change: Readonly<Record<string, string>>, more = ''): HostileCase => ({
  name,
  status: [400],
  act: async (scene) => {
    const answer = await authorize(scene, change, more);
    return answer.headers.location === undefined ? answer : { ...answer, status: 302 };
  },
});
/** An authorization that is refused by a redirect to the registered address. */
const redirected = (name: string, change: Readonly<Record<string, string>>, error: string): HostileCase => ({
  name,
  status: [302],
  says: `error=${error}`,
  act: async (scene) => {
    const answer = await authorize(scene, change);
    const location = String(answer.headers.location);
    return { ...answer, text: location.startsWith(`${REDIRECT}?`) ? location : `elsewhere: ${location}` };
  },
});
const token = (
  name: string,
  form: Readonly<Record<string, string>>,
  status: readonly number[],
  more: Asked['headers'] = {},
): HostileCase => ({
  name,
  status,
  act: async (scene) =>
    scene.ask('POST', '/oauth/token', {
      key: null,
      body: new URLSearchParams({ client_id: await clientId(scene), ...form }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...more },
    }),
});

/** Apps that request more than a person allows. */
export const oauth: readonly HostileCase[] = [
  page('an app that does not exist', { client_id: 'nobody' }),
  page('an app whose name is a script', { client_id: '<script>alert(1)</script>' }),
  page('another address to go back to', { redirect_uri: 'https://evil.example/callback' }),
  page('an address to go back to with more behind it', { redirect_uri: `${REDIRECT}/more` }),
  page('an address to go back to with a query', { redirect_uri: `${REDIRECT}?next=https://evil.example` }),
  page('an address to go back to in another letter case', { redirect_uri: REDIRECT.toUpperCase() }),
  page('an address to go back to with another port', { redirect_uri: 'https://app.example:444/callback' }),
  page('an address to go back to with a name before it', {
    redirect_uri: 'https://app.example@evil.example/callback',
  }),
  page('a script to go back to', { redirect_uri: 'javascript:alert(1)' }),
  page('two addresses to go back to', {}, '&redirect_uri=https%3A%2F%2Fevil.example'),
  redirected('a token without a code', { response_type: 'token' }, 'unsupported_response_type'),
  redirected('a challenge that is the verifier', { code_challenge_method: 'plain' }, 'invalid_request'),
  redirected('a challenge that is too short', { code_challenge: 'A' }, 'invalid_request'),
  redirected('a scope that does not exist', { scope: 'messages.read admin' }, 'invalid_scope'),
  redirected('a scope that the app does not have', { scope: 'messages.read calls.write' }, 'invalid_scope'),
  redirected('a state of 513 characters', { state: 'a'.repeat(513) }, 'invalid_request'),
  token('a token for a password', { grant_type: 'password', username: 'owner', password: 'a' }, [400]),
  token('a token for the app itself', { grant_type: 'client_credentials' }, [400]),
  token(
    'a token for a made-up code',
    {
      grant_type: 'authorization_code',
      code: `tl_ac_${'A'.repeat(43)}`,
      redirect_uri: REDIRECT,
      code_verifier: 'A'.repeat(43),
    },
    [400],
  ),
  token(
    'a token for a made-up refresh token',
    { grant_type: 'refresh_token', refresh_token: `tl_rt_${'A'.repeat(43)}` },
    [400],
  ),
  token(
    'a token for an app with a made-up secret',
    { grant_type: 'refresh_token', refresh_token: 'a', client_secret: 'a' },
    [400, 401],
  ),
  {
    name: 'a token by a link',
    status: [404],
    act: (scene) => scene.ask('GET', '/oauth/token?grant_type=password', { key: null }),
  },
];
