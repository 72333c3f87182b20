import { z } from 'zod';
import { scopeOf } from '../../core/access/message-scope.js';
import { resolveDeliveryBody } from '../../core/messages/bodies.js';
import type { MessageActions } from '../../core/messages/message-actions.js';
import { deliveryList, deliveryRecord } from '../../core/messages/record.js';
import type { ReadMessages } from '../../core/messages/use-cases.js';
import { uuid } from '../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../route.js';

export interface DeliveryServices {
  readonly read: ReadMessages;
  readonly actions: MessageActions;
}

const idParams = z.object({ id: uuid });
const reading = { tag: 'Deliveries', scopes: ['messages:read'], oauth: 'messages.read' } as const;

export function deliveryRoutes(services: DeliveryServices): Route[] {
  return [...readingRoutes(services), ...actionRoutes(services)];
}

function readingRoutes({ read }: DeliveryServices): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/openapi/deliveries',
      summary: 'List deliveries; dead letters with filter=status:failed',
      response: deliveryRecord,
      list: deliveryList,
      handler: ({ caller, list }) => read.listDeliveries(caller, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/openapi/deliveries/{id}',
      summary: 'Get one delivery',
      params: idParams,
      success: 200,
      response: deliveryRecord,
      handler: ({ caller, params }) => read.getDelivery(caller, params.id),
    }),
  ];
}

function actionRoutes({ actions }: DeliveryServices): Route[] {
  return [
    route({
      method: 'POST',
      path: '/openapi/deliveries/{id}/retry',
      summary: 'Send a failed or expired delivery again',
      tag: 'Deliveries',
      scopes: ['messages:write'],
      oauth: 'messages.write',
      params: idParams,
      success: 200,
      response: deliveryRecord,
      handler: ({ caller, params, claim }) => actions.retryDelivery(scopeOf(caller), params.id, claim?.name),
    }),
    route({
      method: 'POST',
      path: '/openapi/deliveries/{id}/resolve',
      summary: 'Set the outcome of an uncertain delivery',
      tag: 'Deliveries',
      scopes: ['messages:write'],
      oauth: null,
      params: idParams,
      body: resolveDeliveryBody,
      success: 200,
      response: deliveryRecord,
      handler: ({ caller, params, body, claim }) =>
        actions.resolveDelivery(scopeOf(caller), params.id, body.outcome, claim?.name),
    }),
  ];
}
