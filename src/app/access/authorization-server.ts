import type { Container } from 'inversify';
import type { Log } from '../../core/common/log.js';
import * as ports from '../../core/modules/tokens.js';
import { AuthorizeApps } from '../../core/oauth/authorize.js';
import { oauthPlugin } from '../../http/oauth/plugin.js';
import type { SessionCookie } from '../../http/session-cookie.js';

/** OAuth 2.0 authorization server: consent pages for users and form endpoints for apps. */
export function authorizationServer(container: Container, cookie: SessionCookie, log: Log) {
  return oauthPlugin({
    authorize: container.get(AuthorizeApps),
    sessions: container.get(ports.SessionReader),
    cookie,
    clients: container.get(ports.OAuthClients),
    grants: container.get(ports.OAuthGrants),
    tokens: container.get(ports.OAuthTokens),
    publicUrl: container.get(ports.PublicUrl),
    log,
  });
}
