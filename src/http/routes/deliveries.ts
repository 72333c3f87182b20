import { z } from 'zod';
import type { SteerDeliveries } from '../../core/messages/act.js';
import { resolveDeliveryBody } from '../../core/messages/bodies.js';
import { deliveryList, deliveryRecord } from '../../core/messages/record.js';
import type { ReadMessages } from '../../core/messages/use-cases.js';
import { uuid } from '../../core/schema/scalars.js';
import { listRoute, type Route, route } from '../route.js';

export interface DeliveryUseCases {
  readonly read: ReadMessages;
  readonly steer: SteerDeliveries;
}

const idParams = z.object({ id: uuid });
const reading = { tag: 'Deliveries', scopes: ['messages:read'], oauth: 'messages.read' } as const;

export function deliveryRoutes(useCases: DeliveryUseCases): Route[] {
  return [...readingRoutes(useCases), ...steeringRoutes(useCases)];
}

function readingRoutes({ read }: DeliveryUseCases): Route[] {
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

function steeringRoutes({ steer }: DeliveryUseCases): Route[] {
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
      handler: ({ caller, params, claim }) => steer.retry(caller, params.id, claim?.name),
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
        steer.resolve(caller, params.id, body.outcome, claim?.name),
    }),
  ];
}
