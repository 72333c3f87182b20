import { z } from 'zod';
import { wireTime } from '../../core/schema/scalars.js';
import { type Route, route } from '../route.js';

const level = z.enum(['operational', 'degraded', 'maintenance', 'outage']);

export const ApiStatus = z
  .object({
    status: level,
    version: z.literal('1.0'),
    time: wireTime,
    uptime_seconds: z.int().min(0),
    versions: z.array(
      z.object({
        version: z.string(),
        status: z.enum(['stable', 'beta', 'deprecated']),
        path: z.string(),
        sunset_at: wireTime.nullable(),
      }),
    ),
    build: z.object({ version: z.string(), commit: z.string() }),
    components: z.array(
      z.object({
        name: z.string(),
        status: level,
        latency_ms: z.number().nullable(),
        message: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ApiStatus' });
export type ApiStatus = z.output<typeof ApiStatus>;

/** Reads the status. Components of a workspace are shown only to callers of that workspace. */
export type ReadStatus = (workspaceId: string) => Promise<ApiStatus>;

/** The status of the service, for any valid credential. The response is 200 even while the service is degraded. */
export function statusRoutes(readStatus: ReadStatus): Route[] {
  return [
    route({
      method: 'GET',
      path: '/openapi/status',
      summary: 'Status and versions of the API',
      tag: 'Status',
      scopes: [],
      oauth: 'any',
      success: 200,
      response: ApiStatus,
      handler: ({ caller }) => readStatus(caller.workspaceId),
    }),
  ];
}
