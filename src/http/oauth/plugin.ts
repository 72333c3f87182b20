import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { clock } from '../../contract/clock.js';
import { invalidField } from '../../core/common/errors.js';
import type { Log } from '../../core/common/log.js';
import { hungUp } from '../client-error.js';
import { errorAnswer } from '../error-answer.js';
import { AuthorizeEndpoint, type AuthorizeServices } from './authorize-endpoint.js';
import { faultBody, OAuthFault } from './fault.js';
import { formBytes, readForm } from './form.js';
import { agentResourceMetadata, agentResourcePath, serverMetadata } from './metadata.js';
import { issueTokens, type TokenServices } from './token-endpoint.js';
import { introspectToken, revokeToken } from './token-state.js';

export interface OAuthServices extends AuthorizeServices, TokenServices {}

type FormHandler = (
  services: TokenServices,
  form: Readonly<Record<string, string>>,
  authorization: string | undefined,
) => Promise<object | undefined>;

/** The authorization server: pages for users, form endpoints for apps, and metadata for client libraries. */
export function oauthPlugin(services: OAuthServices): FastifyPluginAsync {
  return async (server) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: formBytes }, (_request, body, done) =>
      done(null, body),
    );
    server.setErrorHandler((error, request, reply) => sendFault(error, request, reply, services.log));
    const authorize = new AuthorizeEndpoint(services);
    server.route({
      method: ['GET', 'HEAD'],
      url: '/oauth/authorize',
      handler: (request, reply) => authorize.ask(request, reply),
    });
    server.post('/oauth/authorize', (request, reply) => authorize.answer(request, reply));
    const form = (url: string, endsCredentials: boolean, handle: FormHandler) =>
      server.post(url, { config: { endsCredentials } }, (request, reply) =>
        answerForm(services, handle, request, reply),
      );
    // If a code or refresh token is used again, the tokens of its grant end.
    form('/oauth/token', true, issueTokens);
    form('/oauth/revoke', true, async (...sent) => void (await revokeToken(...sent)));
    form('/oauth/introspect', false, introspectToken);
    const describe = (url: string, metadata: (issuer: string) => object) =>
      server.route({
        method: ['GET', 'HEAD'],
        url,
        handler: (_request, reply) => sendJson(reply, 200, metadata(services.publicUrl())),
      });
    describe('/.well-known/oauth-authorization-server', serverMetadata);
    describe(agentResourcePath, agentResourceMetadata);
  };
}

async function answerForm(
  services: TokenServices,
  handle: FormHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = readForm(request.body, request.headers['content-type']);
  const answer = await handle(services, form, request.headers.authorization);
  if (answer !== undefined) return sendJson(reply, 200, answer);
  return reply.code(200).headers(unstored()).send();
}

/** Responds to a fault with an error of RFC 6749. Any other error has the same shape and no details. */
function sendFault(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof OAuthFault) {
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="Trunkline"');
    return sendJson(reply, error.status, faultBody(error.error, error.message));
  }
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  const malformed = code?.startsWith('FST_') === true && statusCode < 500;
  const fault = malformed ? invalidField('', 'malformed', 'The request is malformed.') : error;
  const answer = errorAnswer(fault, request.id, clock.now());
  if (answer.status >= 500 && hungUp(request)) log.info({ request_id: request.id }, 'request.hung_up');
  else if (answer.status >= 500) log.error({ err: error, request_id: request.id }, 'oauth.failed');
  if (answer.retryAfter !== undefined) reply.header('retry-after', String(answer.retryAfter));
  const { error: name, message } = answer.body;
  return sendJson(reply, answer.status, faultBody(name, message));
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .headers(unstored())
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

function unstored(): Record<string, string> {
  return { 'cache-control': 'no-store', pragma: 'no-cache', 'x-content-type-options': 'nosniff' };
}
