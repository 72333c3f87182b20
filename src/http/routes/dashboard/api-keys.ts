import { z } from 'zod';
import { changeApiKeyBody, createApiKeyBody } from '../../../core/api-keys/bodies.js';
import { apiKeyList, apiKeyRecord, keyUsageRecord } from '../../../core/api-keys/record.js';
import type { ManageApiKeys } from '../../../core/api-keys/use-cases.js';
import { listRoute, type Route, route } from '../../route.js';
import { idParams, managing, revoking } from './common.js';

/** Webhooks that the key registered are disabled with it, unless `keep_webhooks` is true. */
const revokeQuery = z.object({ keep_webhooks: z.enum(['true', 'false']).optional() });

export function apiKeyRoutes(keys: ManageApiKeys): Route[] {
  return [
    listRoute({
      ...managing,
      path: '/keys',
      summary: 'List API keys',
      response: apiKeyRecord,
      list: apiKeyList,
      handler: ({ caller, list }) => keys.list(caller, list),
    }),
    keyUsage(keys),
    route({
      ...managing,
      method: 'POST',
      path: '/keys',
      summary: 'Make an API key',
      body: createApiKeyBody,
      success: 201,
      response: apiKeyRecord,
      handler: ({ caller, body, resourceId }) => keys.create(caller, body, resourceId),
    }),
    route({
      ...revoking,
      method: 'PATCH',
      path: '/keys/{id}',
      summary: 'Change an API key',
      params: idParams,
      body: changeApiKeyBody,
      success: 200,
      response: apiKeyRecord,
      handler: ({ caller, params, body }) => keys.change(caller, params.id, body),
    }),
    route({
      ...revoking,
      method: 'DELETE',
      path: '/keys/{id}',
      summary: 'Revoke an API key',
      params: idParams,
      query: revokeQuery,
      success: 204,
      handler: async ({ caller, params, query }) => {
        await keys.revoke(caller, params.id, query.keep_webhooks === 'true');
        return undefined;
      },
    }),
  ];
}

function keyUsage(keys: ManageApiKeys): Route {
  return route({
    ...managing,
    method: 'GET',
    path: '/key-usage',
    summary: 'How much of their hourly limits the keys have used',
    success: 200,
    response: z.object({ data: z.array(keyUsageRecord) }),
    handler: ({ caller }) => keys.usage(caller),
  });
}
