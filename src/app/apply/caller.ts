import type { Caller } from '../../core/access/caller.js';
import { apiKeyScopes } from '../../core/access/scopes.js';

export const allScopes: readonly string[] = apiKeyScopes;

/** The owner of a workspace, in whose name a file is applied. */
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
