import { z } from 'zod';
import { scopeOf } from '../../core/access/message-scope.js';
import { createCallBody, endCallBody, signalBody, tokenBody } from '../../core/calls/bodies.js';
import { callExpansions, type ExpandCalls } from '../../core/calls/expand.js';
import type { CallStore } from '../../core/calls/ports.js';
import {
  callList,
  callRecord,
  type IceServers,
  iceServersRecord,
  rtcTokenRecord,
  signalAnswer,
} from '../../core/calls/record.js';
import type { IssueJoinToken, ReadCalls, SendSignal, StartCall } from '../../core/calls/use-cases.js';
import { uuid } from '../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../route.js';

export interface CallServices {
  readonly start: StartCall;
  readonly read: ReadCalls;
  readonly expand: ExpandCalls;
  readonly store: CallStore;
  readonly token: IssueJoinToken;
  readonly signal: SendSignal;
  readonly iceServers: (userId: string) => IceServers;
}

const idParams = z.object({ id: uuid });
const reading = { tag: 'Calls', scopes: ['calls:read'], oauth: 'calls.read' } as const;
const calling = { tag: 'Calls', scopes: ['calls:write'], oauth: 'calls.write' } as const;
const signaling = { tag: 'Calls', scopes: ['rtc:write', 'calls:write'], oauth: null } as const;

export function callRoutes(services: CallServices): Route[] {
  return [...readingRoutes(services), ...callingRoutes(services), ...signalingRoutes(services)];
}

function readingRoutes({ read, expand: add }: CallServices): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/calls',
      summary: 'List calls',
      response: callRecord,
      list: callList,
      expand: callExpansions,
      handler: async ({ caller, list, expand }) => {
        const page = await read.list(caller, list);
        return { ...page, items: await add.execute(caller, page.items, expand) };
      },
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/calls/{id}',
      summary: 'Get one call',
      params: idParams,
      success: 200,
      response: callRecord,
      expand: callExpansions,
      handler: async ({ caller, params, expand }) => {
        const [shown] = await add.execute(caller, [await read.get(caller, params.id)], expand);
        return shown;
      },
    }),
  ];
}

function callingRoutes({ start, store }: CallServices): Route[] {
  return [
    route({
      ...calling,
      method: 'POST',
      path: '/openapi/calls',
      summary:
        'Start a call in a conversation, or with users or an address whose conversation is found or created',
      body: createCallBody,
      success: 201,
      response: callRecord,
      handler: ({ caller, body, resourceId, claim }) => start.execute(caller, body, resourceId, claim?.name),
    }),
    route({
      ...calling,
      method: 'POST',
      path: '/openapi/calls/{id}/end',
      summary: 'End a live call',
      params: idParams,
      body: endCallBody,
      success: 200,
      response: callRecord,
      handler: ({ caller, params, body, claim }) =>
        store.end(scopeOf(caller), params.id, caller.userId, body.reason, claim?.name),
    }),
  ];
}

function signalingRoutes({ token, signal, iceServers }: CallServices): Route[] {
  return [
    route({
      ...signaling,
      method: 'POST',
      path: '/openapi/calls/{id}/token',
      summary: 'Get a token with which a participant opens the WebSocket',
      params: idParams,
      body: tokenBody,
      success: 200,
      response: rtcTokenRecord,
      handler: ({ caller, params, body }) => token.execute(caller, params.id, body.user_id),
    }),
    route({
      ...signaling,
      method: 'POST',
      path: '/openapi/calls/{id}/signal',
      summary: 'Signal in a call without a WebSocket',
      params: idParams,
      body: signalBody,
      success: 200,
      response: signalAnswer,
      handler: async ({ caller, params, body }) => ({
        delivered: await signal.execute(caller, params.id, body),
      }),
    }),
    route({
      ...signaling,
      scopes: ['rtc:write'],
      method: 'GET',
      path: '/openapi/rtc/ice-servers',
      summary: 'Get the STUN and TURN servers, with credentials for ten minutes',
      success: 200,
      response: iceServersRecord,
      handler: async ({ caller }) => iceServers(caller.userId),
    }),
  ];
}
