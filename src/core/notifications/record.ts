import { z } from 'zod';
import { notificationChoices } from './bodies.js';

/** The choices of a member, and whether the browser of the session gets pushes. */
export const notificationsRecord = notificationChoices.extend({ pushes_here: z.boolean() });
export type NotificationsRecord = z.infer<typeof notificationsRecord>;

/** The result of a push: accepted by the push service, refused by it, no longer subscribed, or not reachable. */
const pushResults = ['sent', 'refused', 'gone', 'unreachable'] as const;
export type PushResult = (typeof pushResults)[number];

export const pushTestRecord = z.object({ result: z.enum(pushResults) });
