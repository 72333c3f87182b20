import type { Caller } from '../../core/access/caller.js';
import { apiKeyScopes } from '../../core/access/scopes.js';

export const allScopes: readonly string[] = apiKeyScopes;

/** The caller for an owner of a workspace. A file is applied on behalf of the owner. */
export function ownerOf(workspaceId: string, userId: string): Caller {
  return {
    workspaceId,
    userId,
    environment: 'live',
    credential: { kind: 'none', id: '' },
    scopes: new Set(allScopes),
    rateLimit: 0,
    onlyOwnConversations: false,
  };
}
