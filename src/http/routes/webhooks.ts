import { z } from 'zod';
import type { Caller } from '../../core/access/caller.js';
import { uuid } from '../../core/schema/scalars.js';
import {
  createWebhookBody,
  recoverWebhookBody,
  rotateSecretBody,
  updateWebhookBody,
} from '../../core/webhooks/bodies.js';
import { eventReadScopes } from '../../core/webhooks/catalogue.js';
import {
  webhookDeliveryList,
  webhookDeliveryRecord,
  webhookList,
  webhookRecord,
} from '../../core/webhooks/record.js';
import { assertEvents } from '../../core/webhooks/subscription.js';
import type { CreateWebhook } from '../../core/webhooks/use-cases/create-webhook.js';
import type { DeleteWebhook } from '../../core/webhooks/use-cases/delete-webhook.js';
import type { GetWebhook } from '../../core/webhooks/use-cases/get-webhook.js';
import type { ListWebhooks } from '../../core/webhooks/use-cases/list-webhooks.js';
import type { RecoverWebhookDeliveries } from '../../core/webhooks/use-cases/recover-deliveries.js';
import type { RetryWebhookDelivery } from '../../core/webhooks/use-cases/retry-delivery.js';
import type { RotateSecret } from '../../core/webhooks/use-cases/rotate-secret.js';
import type { TestWebhook } from '../../core/webhooks/use-cases/test-webhook.js';
import type { UpdateWebhook } from '../../core/webhooks/use-cases/update-webhook.js';
import { listRoute, type Route, route } from '../route.js';

export interface WebhookUseCases {
  readonly create: CreateWebhook;
  readonly get: GetWebhook;
  readonly list: ListWebhooks;
  readonly update: UpdateWebhook;
  readonly delete: DeleteWebhook;
  readonly test: TestWebhook;
  readonly rotate: RotateSecret;
  readonly recover: RecoverWebhookDeliveries;
  readonly retry: RetryWebhookDelivery;
}

const idParams = z.object({ id: uuid });
const deliveryParams = z.object({ id: uuid, delivery_id: uuid });
/** The scopes for a webhook are known only after it is read. Any event read scope passes this first check. */
const anyEventScope = { anyOf: eventReadScopes };
// A webhook gets the events of all conversations.
const common = { tag: 'Webhooks', scopes: anyEventScope, oauth: null, wholeWorkspace: true };

type Sent = () => Promise<Readonly<Record<string, unknown>>>;

/** Checks the scopes of the requested events before anything else in the request. */
async function admitEvents(caller: Caller, sent: Sent): Promise<void> {
  const { events } = await sent();
  if (!Array.isArray(events)) return;
  assertEvents(
    events.filter((event) => typeof event === 'string'),
    caller.scopes,
  );
}

/** The common part of routes for one webhook. Its scopes are checked before anything else in the request. */
function ofOne({ get }: WebhookUseCases) {
  return {
    ...common,
    admits: async (caller: Caller, { id }: Readonly<Record<string, string>>) => {
      const read = uuid.safeParse(id);
      if (read.success) await get.admit(caller, read.data);
    },
  };
}

export function webhookRoutes(useCases: WebhookUseCases): Route[] {
  return [...readingRoutes(useCases), ...managementRoutes(useCases), ...deliveryRoutes(useCases)];
}

function readingRoutes(useCases: WebhookUseCases): Route[] {
  const one = ofOne(useCases);
  return [
    listRoute({
      ...common,
      path: '/api/webhooks',
      summary: 'List registered webhooks that the key may see',
      response: webhookRecord,
      list: webhookList,
      handler: ({ caller, list }) => useCases.list.webhooks(caller, list),
    }),
    route({
      ...one,
      method: 'GET',
      path: '/api/webhooks/{id}',
      summary: 'Get one webhook',
      params: idParams,
      success: 200,
      response: webhookRecord,
      handler: ({ caller, params }) => useCases.get.execute(caller, params.id),
    }),
  ];
}

function managementRoutes(useCases: WebhookUseCases): Route[] {
  const one = ofOne(useCases);
  return [
    route({
      ...common,
      admits: (caller, _path, sent) => admitEvents(caller, sent),
      method: 'POST',
      path: '/api/webhooks',
      summary: 'Register a webhook',
      body: createWebhookBody,
      success: 201,
      response: webhookRecord,
      handler: ({ caller, body, version, resourceId }) =>
        useCases.create.execute(caller, body, { apiVersion: version, id: resourceId }),
    }),
    route({
      ...one,
      admits: async (caller, path, sent) => {
        await one.admits(caller, path);
        await admitEvents(caller, sent);
      },
      method: 'PATCH',
      path: '/api/webhooks/{id}',
      summary: 'Change a webhook',
      params: idParams,
      body: updateWebhookBody,
      success: 200,
      response: webhookRecord,
      handler: ({ caller, params, body }) => useCases.update.execute(caller, params.id, body),
    }),
    route({
      ...one,
      method: 'DELETE',
      path: '/api/webhooks/{id}',
      summary: 'Remove a webhook',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await useCases.delete.execute(caller, params.id);
        return undefined;
      },
    }),
    rotation(useCases),
  ];
}

function rotation(useCases: WebhookUseCases): Route {
  return route({
    ...ofOne(useCases),
    method: 'POST',
    path: '/api/webhooks/{id}/rotate-secret',
    summary: 'Rotate the secret of a webhook',
    params: idParams,
    body: rotateSecretBody,
    success: 200,
    response: webhookRecord,
    handler: ({ caller, params, body, resourceId }) =>
      useCases.rotate.execute(caller, params.id, body, resourceId),
  });
}

function deliveryRoutes(useCases: WebhookUseCases): Route[] {
  const one = ofOne(useCases);
  return [
    route({
      ...one,
      method: 'POST',
      path: '/api/webhooks/{id}/test',
      summary: 'Send a test event now, once',
      params: idParams,
      success: 200,
      response: webhookDeliveryRecord,
      handler: ({ caller, params }) => useCases.test.execute(caller, params.id),
    }),
    listRoute({
      ...one,
      path: '/api/webhooks/{id}/deliveries',
      summary: 'List deliveries to a webhook, kept 30 days',
      params: idParams,
      response: webhookDeliveryRecord,
      list: webhookDeliveryList,
      handler: ({ caller, params, list }) => useCases.list.deliveries(caller, params.id, list),
    }),
    route({
      ...one,
      method: 'POST',
      path: '/api/webhooks/{id}/deliveries/{delivery_id}/retry',
      summary: 'Deliver one event again',
      params: deliveryParams,
      success: 200,
      response: webhookDeliveryRecord,
      handler: ({ caller, params, claim }) =>
        useCases.retry.execute(caller, params.id, params.delivery_id, claim?.name),
    }),
    route({
      ...one,
      method: 'POST',
      path: '/api/webhooks/{id}/recover',
      summary: 'Deliver every dead event since a time again',
      params: idParams,
      body: recoverWebhookBody,
      success: 200,
      response: z.object({ count: z.int() }).meta({ id: 'RecoveredCount' }),
      handler: async ({ caller, params, body, claim }) => ({
        count: await useCases.recover.execute(caller, params.id, new Date(body.since), claim?.name),
      }),
    }),
  ];
}
