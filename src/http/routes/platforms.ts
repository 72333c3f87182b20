import { z } from 'zod';
import { listInMemory } from '../../core/listing/list-in-memory.js';
import { changeConnectionBody, createConnectionBody } from '../../core/platforms/bodies.js';
import {
  connectionList,
  connectionRecord,
  connectionTestRecord,
  platformList,
  platformRecord,
  protocolList,
  protocolRecord,
} from '../../core/platforms/record.js';
import type { TestConnection } from '../../core/platforms/test-connection.js';
import type { ManageConnections, ReadPlatforms } from '../../core/platforms/use-cases.js';
import { platformId, uuid } from '../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../route.js';

export interface PlatformUseCases {
  readonly read: ReadPlatforms;
  readonly manage: ManageConnections;
  readonly test: TestConnection;
}

const idParams = z.object({ id: uuid });
const protocolParams = z.object({ id: platformId });
const platformParams = z.object({ platform: platformId });

export function platformRoutes(useCases: PlatformUseCases): Route[] {
  return [
    ...catalogueRoutes(useCases),
    ...connectionRoutes(useCases),
    ...managementRoutes(useCases),
    ...actionRoutes(useCases),
  ];
}

function catalogueRoutes({ read }: PlatformUseCases): Route[] {
  return [
    listRoute({
      path: '/openapi/protocols',
      summary: 'List protocols: what each installed adapter can do and needs',
      tag: 'Platforms',
      scopes: ['protocols:read'],
      oauth: null,
      response: protocolRecord,
      list: protocolList,
      handler: async ({ caller, list }) => listInMemory(read.protocols(caller), protocolList, list),
    }),
    route({
      method: 'GET',
      path: '/openapi/protocols/{id}',
      summary: 'Get one protocol',
      tag: 'Platforms',
      scopes: ['protocols:read'],
      oauth: null,
      params: protocolParams,
      success: 200,
      response: protocolRecord,
      handler: async ({ caller, params }) => read.protocol(caller, params.id),
    }),
    listRoute({
      path: '/openapi/platforms',
      summary: 'List installed platforms with their connections',
      tag: 'Platforms',
      scopes: ['platforms:read'],
      oauth: null,
      response: platformRecord,
      list: platformList,
      handler: async ({ caller, list }) => listInMemory(await read.all(caller), platformList, list),
    }),
    route({
      method: 'GET',
      path: '/openapi/platforms/{platform}',
      summary: 'Get one platform with its connections',
      tag: 'Platforms',
      scopes: ['platforms:read'],
      oauth: null,
      params: platformParams,
      success: 200,
      response: platformRecord,
      handler: ({ caller, params }) => read.get(caller, params.platform),
    }),
  ];
}

const reading = { tag: 'Connections', scopes: ['platforms:read'] as const, oauth: null };
const writing = { tag: 'Connections', scopes: ['platforms:write'] as const, oauth: null };

function connectionRoutes({ read }: PlatformUseCases): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/platforms/connections',
      summary: 'List connections',
      response: connectionRecord,
      list: connectionList,
      handler: ({ caller, list }) => read.connections(caller, undefined, list),
    }),
    listRoute({
      ...reading,
      path: '/openapi/platforms/{platform}/connections',
      summary: 'List connections of one platform',
      params: platformParams,
      response: connectionRecord,
      list: connectionList,
      handler: ({ caller, params, list }) => read.connections(caller, params.platform, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/platforms/connections/{id}',
      summary: 'Get one connection',
      params: idParams,
      success: 200,
      response: connectionRecord,
      handler: ({ caller, params }) => read.connection(caller, params.id),
    }),
  ];
}

function managementRoutes({ manage }: PlatformUseCases): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/platforms/{platform}/connections',
      summary: 'Connect an account on a platform',
      params: platformParams,
      body: createConnectionBody,
      success: 201,
      response: connectionRecord,
      handler: ({ caller, params, body, resourceId }) =>
        manage.create(caller, params.platform, body, resourceId),
    }),
    route({
      ...writing,
      method: 'PATCH',
      path: '/openapi/platforms/connections/{id}',
      summary: 'Change a connection; it alone restarts',
      params: idParams,
      body: changeConnectionBody,
      success: 200,
      response: connectionRecord,
      handler: ({ caller, params, body }) => manage.change(caller, params.id, body),
    }),
    route({
      ...writing,
      method: 'DELETE',
      path: '/openapi/platforms/connections/{id}',
      summary: 'Remove a connection, its links and its unsent deliveries',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await manage.delete(caller, params.id);
        return undefined;
      },
    }),
  ];
}

function actionRoutes({ manage, test }: PlatformUseCases): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/platforms/connections/{id}/test',
      summary: 'Ask the platform whether the connection works',
      params: idParams,
      success: 200,
      response: connectionTestRecord,
      handler: ({ caller, params }) => test.execute(caller, params.id),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/openapi/platforms/connections/{id}/reconnect',
      summary: 'Connect again now',
      params: idParams,
      success: 200,
      response: connectionRecord,
      handler: ({ caller, params }) => manage.reconnect(caller, params.id),
    }),
  ];
}
