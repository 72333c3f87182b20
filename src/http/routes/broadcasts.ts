import { z } from 'zod';
import { changeBroadcastBody, createBroadcastBody } from '../../core/broadcasts/bodies.js';
import {
  broadcastList,
  broadcastRecipientList,
  broadcastRecipientRecord,
  broadcastRecord,
  dryRunRecord,
} from '../../core/broadcasts/record.js';
import type { ControlBroadcast, CreateBroadcast, ReadBroadcasts } from '../../core/broadcasts/use-cases.js';
import { uuid } from '../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../route.js';

export interface BroadcastUseCases {
  readonly create: CreateBroadcast;
  readonly read: ReadBroadcasts;
  readonly control: ControlBroadcast;
}

const idParams = z.object({ id: uuid });
const dryRunQuery = z.object({ dry_run: z.enum(['true', 'false']).optional() });
// A broadcast writes to conversations of all teams.
const common = { tag: 'Broadcasts', oauth: null, wholeWorkspace: true } as const;
const reading = { ...common, scopes: ['broadcasts:read'] } as const;
const writing = { ...common, scopes: ['broadcasts:write'] } as const;

export function broadcastRoutes(useCases: BroadcastUseCases): Route[] {
  return [...readingRoutes(useCases), ...changingRoutes(useCases), ...moveRoutes(useCases)];
}

function readingRoutes({ read }: BroadcastUseCases): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/broadcasts',
      summary: 'List broadcasts',
      response: broadcastRecord,
      list: broadcastList,
      handler: ({ caller, list }) => read.list(caller, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/broadcasts/{id}',
      summary: 'Get one broadcast',
      params: idParams,
      success: 200,
      response: broadcastRecord,
      handler: ({ caller, params }) => read.get(caller, params.id),
    }),
    listRoute({
      ...reading,
      path: '/openapi/broadcasts/{id}/recipients',
      summary: 'List the recipients of a broadcast',
      params: idParams,
      response: broadcastRecipientRecord,
      list: broadcastRecipientList,
      handler: ({ caller, params, list }) => read.listRecipients(caller, params.id, list),
    }),
  ];
}

function changingRoutes({ create, control }: BroadcastUseCases): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/broadcasts',
      summary: 'Send a message to many people, or predict the result with dry_run=true',
      query: dryRunQuery,
      body: createBroadcastBody,
      success: 201,
      response: broadcastRecord,
      found: dryRunRecord,
      handler: async ({ caller, query, body, resourceId, claim }) =>
        query.dry_run === 'true'
          ? { status: 200 as const, record: await create.dryRun(caller, body, resourceId) }
          : create.execute(caller, body, resourceId, claim?.name),
    }),
    route({
      ...writing,
      method: 'PATCH',
      path: '/openapi/broadcasts/{id}',
      summary: 'Change a broadcast that has not started',
      params: idParams,
      body: changeBroadcastBody,
      success: 200,
      response: broadcastRecord,
      handler: ({ caller, params, body }) => control.change(caller, params.id, body),
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: '/openapi/broadcasts/{id}',
      summary: 'Cancel a broadcast',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await control.cancel(caller, params.id);
        return undefined;
      },
    }),
  ];
}

const moves = {
  start: 'Start a drafted or scheduled broadcast',
  pause: 'Pause a broadcast that is being sent',
  resume: 'Resume a paused broadcast',
} as const;

function moveRoutes({ control }: BroadcastUseCases): Route[] {
  const acting = {
    ...writing,
    method: 'POST',
    params: idParams,
    success: 200,
    response: broadcastRecord,
  } as const;
  return [
    ...(Object.keys(moves) as (keyof typeof moves)[]).map((move) =>
      route({
        ...acting,
        path: `/openapi/broadcasts/{id}/${move}`,
        summary: moves[move],
        handler: ({ caller, params, claim }) => control.move(caller, params.id, move, claim?.name),
      }),
    ),
    route({
      ...acting,
      path: '/openapi/broadcasts/{id}/retry',
      summary: 'Send to the failed recipients again',
      handler: ({ caller, params, claim }) => control.retry(caller, params.id, claim?.name),
    }),
  ];
}
