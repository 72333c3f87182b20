import { z } from 'zod';
import { changeNotificationsBody, pushSubscriptionBody } from '../../../core/notifications/bodies.js';
import { notificationsRecord, pushTestRecord } from '../../../core/notifications/record.js';
import type { OwnNotifications } from '../../../core/notifications/use-cases.js';
import { type Route, route } from '../../route.js';
import { dashboard } from './common.js';

/** Sounds and push notifications of the signed-in person. */
export function notificationRoutes(notifications: OwnNotifications): Route[] {
  return [...choiceRoutes(notifications), ...subscriptionRoutes(notifications)];
}

function choiceRoutes(notifications: OwnNotifications): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/notifications',
      summary: 'Get the notification choices of the person, and whether this browser gets pushes',
      success: 200,
      response: notificationsRecord,
      handler: ({ caller }) => notifications.read(caller),
    }),
    route({
      ...dashboard,
      method: 'PATCH',
      path: '/notifications',
      summary: 'Change the notification choices of the person',
      body: changeNotificationsBody,
      success: 200,
      response: notificationsRecord,
      handler: ({ caller, body }) => notifications.change(caller, body),
    }),
  ];
}

function subscriptionRoutes(notifications: OwnNotifications): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/push-key',
      summary: 'Get the key with which a browser subscribes at its push service',
      success: 200,
      response: z.object({ public_key: z.string() }),
      handler: async () => ({ public_key: await notifications.publicKey() }),
    }),
    route({
      ...dashboard,
      method: 'PUT',
      path: '/push-subscription',
      summary: 'Subscribe this browser to pushes until its session ends',
      body: pushSubscriptionBody,
      success: 204,
      handler: async ({ caller, body }) => {
        await notifications.subscribe(caller, body);
        return undefined;
      },
    }),
    route({
      ...dashboard,
      method: 'DELETE',
      path: '/push-subscription',
      summary: 'Unsubscribe this browser from pushes',
      success: 204,
      handler: async ({ caller }) => {
        await notifications.unsubscribe(caller);
        return undefined;
      },
    }),
    route({
      ...dashboard,
      method: 'POST',
      path: '/push-subscription/test',
      summary: 'Send a test push to this browser and get its result',
      success: 200,
      response: pushTestRecord,
      handler: async ({ caller }) => ({ result: await notifications.test(caller) }),
    }),
  ];
}
