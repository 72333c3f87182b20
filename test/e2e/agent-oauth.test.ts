import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentClients, callTool, toolNames } from '../support/agent-client.js';
import type { Json } from '../support/api-client.js';
import {
  type App,
  asPerson,
  type OAuthStage,
  refresh,
  registerApp,
  sendForm,
  shareOAuthStage,
  type Tokens,
  tokensFor,
} from '../support/oauth.js';

const PATH = '/.well-known/oauth-protected-resource/mcp';

let stage: OAuthStage;
let app: App;
const clients = new AgentClients();

beforeAll(async () => {
  stage = await shareOAuthStage();
  app = await registerApp(stage);
});
afterEach(() => clients.close());
afterAll(() => stage?.stop());

const connect = ({ access_token: token }: Pick<Tokens, 'access_token'>) =>
  clients.overHttp(stage.service.url, { authorization: `Bearer ${token}` });

async function conversation(): Promise<Json> {
  const options = { headers: asPerson(stage.owner), body: { participant_ids: [] } };
  return (await stage.anonymous.send('POST', '/dashboard/api/openapi/conversations', options)).body;
}

describe('An agent with an access token', () => {
  it('discovers the authorization server from the 401 response to a request without credentials', async () => {
    const refused = await fetch(`${stage.service.url}/mcp`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
    const [, address = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(new URL(address).pathname).toBe(PATH);
    const resource = (await (await fetch(`${stage.service.url}${PATH}`)).json()) as Json;
    const origin = new URL(address).origin;
    expect(resource).toMatchObject({
      resource: `${origin}/mcp`,
      authorization_servers: [origin],
      scopes_supported: ['user.read', 'messages.read', 'messages.write', 'calls.write'],
      bearer_methods_supported: ['header'],
    });
    const described = await fetch(`${stage.service.url}/.well-known/oauth-authorization-server`);
    expect(await described.json()).toMatchObject({ issuer: origin });
  });

  it('receives an invalid_token challenge when its token is invalid', async () => {
    const headers = { authorization: 'Bearer tl_at_wrong' };
    const refused = await fetch(`${stage.service.url}/mcp`, { method: 'POST', body: '{}', headers });
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    expect(challenge).toContain('error="invalid_token"');
    expect(challenge).toContain('resource_metadata="');
  });

  it('sees only the tools of its scopes', async () => {
    const reading = await connect(await tokensFor(stage, app, stage.owner, 'messages.read'));
    expect(await toolNames(reading)).not.toContain('draft_message');
    expect(await toolNames(reading)).toContain('read_conversation');
    const writing = await connect(await tokensFor(stage, app, stage.owner, 'messages.write'));
    expect(await toolNames(writing)).toEqual(expect.arrayContaining(['draft_message', 'send_message']));
    expect(await toolNames(writing)).not.toContain('read_conversation');
  });

  it('remains restricted to the conversation that it has read after its token is refreshed', async () => {
    const [own, other] = [await conversation(), await conversation()];
    const tokens = await tokensFor(stage, app, stage.owner);
    await callTool(await connect(tokens), 'read_conversation', { conversation: String(own.id) });
    const renewed = await sendForm(stage, '/oauth/token', refresh(app, tokens.refresh_token));
    const again = await connect(renewed.body as unknown as Tokens);
    const refused = await callTool(again, 'send_message', { conversation: String(other.id), text: 'Hello' });
    expect(refused).toMatchObject({ isError: true, data: { error: 'access_denied' } });
    const sent = await callTool(again, 'send_message', { conversation: String(own.id), text: 'Hello' });
    expect(sent).toMatchObject({ isError: false, data: { text: 'Hello', sender_id: stage.owner.userId } });
  });
});
