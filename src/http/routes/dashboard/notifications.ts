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
      summary: 'Get what the person chose about sounds and pushes, and whether this browser gets pushes',
      success: 200,
      response: notificationsRecord,
      handler: ({ caller }) => notifications.read(caller),
    }),
    route({
      ...dashboard,
      method: 'PATCH',
      path: '/notifications',
      summary: 'Change what the person chose about sounds and pushes',
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
      summary: 'Push to this browser until its session ends',
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
      summary: 'Push to this browser no longer',
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
      summary: 'Send a push to this browser, and get what came of it',
      success: 200,
      response: pushTestRecord,
      handler: async ({ caller }) => ({ result: await notifications.test(caller) }),
    }),
  ];
}
