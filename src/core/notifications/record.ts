import { z } from 'zod';
import { notificationChoices } from './bodies.js';

/** What a member chose, and whether the browser of the session gets pushes. */
export const notificationsRecord = notificationChoices.extend({ pushes_here: z.boolean() });
export type NotificationsRecord = z.infer<typeof notificationsRecord>;

/** What came of a push: taken by the push service, refused by it, or the browser is not subscribed there any more. */
const pushResults = ['sent', 'refused', 'gone', 'unreachable'] as const;
export type PushResult = (typeof pushResults)[number];

export const pushTestRecord = z.object({ result: z.enum(pushResults) });
