import { type OAuthScope, oauthScopes } from '../../core/access/scopes.js';
import { grantTypes } from './token-model.js';

const authenticationMethods = ['client_secret_basic', 'client_secret_post'];

/** Metadata of this authorization server for client libraries (RFC 8414). */
export function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    scopes_supported: oauthScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', ...authenticationMethods],
    revocation_endpoint_auth_methods_supported: ['none', ...authenticationMethods],
    introspection_endpoint_auth_methods_supported: authenticationMethods,
    authorization_response_iss_parameter_supported: true,
  };
}

/** Path of the metadata of `/mcp` (RFC 9728, section 3.1). */
export const agentResourcePath = '/.well-known/oauth-protected-resource/mcp';

/** The scopes that tools of agents need. */
const agentScopes: readonly OAuthScope[] = ['user.read', 'messages.read', 'messages.write', 'calls.write'];

/** Metadata for clients that request a token for `/mcp` (RFC 9728). */
export function agentResourceMetadata(issuer: string): object {
  return {
    resource: `${issuer}/mcp`,
    resource_name: 'Trunkline',
    authorization_servers: [issuer],
    scopes_supported: agentScopes,
    bearer_methods_supported: ['header'],
  };
}
