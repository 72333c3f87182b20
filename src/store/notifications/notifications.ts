import type { Pool } from 'pg';
import type { NotificationChoices } from '../../core/notifications/bodies.js';
import type {
  ClaimedPush,
  NewPushSubscription,
  NotificationStore,
  PushTarget,
  PushWork,
} from '../../core/notifications/ports.js';
import type { NotificationsRecord } from '../../core/notifications/record.js';
import {
  changeNotificationChoices,
  claimPushes,
  deletePushSubscription,
  finishPush,
  notificationChoicesRecordSql,
  retryPush,
  savePushSubscription,
  wakePushes,
} from '../calls.gen.js';
import { milliseconds } from '../connection/interval.js';
import { readIn } from '../connection/workspace-reads.js';

/** Notifications of members in PostgreSQL. */
export class PostgresNotifications implements NotificationStore, PushWork {
  constructor(private readonly pool: Pool) {}

  async read(workspaceId: string, userId: string, sessionId: string): Promise<NotificationsRecord> {
    const { rows } = await readIn<{ choices: NotificationChoices; pushes_here: boolean }>(
      this.pool,
      workspaceId,
      {
        text: `SELECT ${notificationChoicesRecordSql('n')} AS choices,
            EXISTS (SELECT FROM push_subscriptions WHERE session_id = $2) AS pushes_here
          FROM (VALUES (1)) AS one LEFT JOIN notification_choices n ON n.user_id = $1`,
        values: [userId, sessionId],
      },
    );
    const { choices, pushes_here } = rows[0]!;
    return { ...choices, pushes_here };
  }

  async change(workspaceId: string, userId: string, patch: Partial<NotificationChoices>): Promise<void> {
    await changeNotificationChoices(this.pool, { workspace: workspaceId, person: userId, patch });
  }

  subscribe(subscription: NewPushSubscription): Promise<void> {
    return savePushSubscription(this.pool, subscription);
  }

  async subscription(workspaceId: string, sessionId: string): Promise<PushTarget | undefined> {
    const { rows } = await readIn<PushTarget>(this.pool, workspaceId, {
      text: 'SELECT endpoint, p256dh, auth FROM push_subscriptions WHERE session_id = $1',
      values: [sessionId],
    });
    return rows[0];
  }

  unsubscribe(sessionId: string, endpoint: string | null): Promise<void> {
    return deletePushSubscription(this.pool, { session: sessionId, address: endpoint });
  }

  claim(workspaceId: string, maxPushes: number, leaseSeconds: number) {
    return claimPushes(this.pool, {
      workspace: workspaceId,
      maxPushes,
      lease: milliseconds(leaseSeconds * 1_000),
    });
  }

  end(push: ClaimedPush): Promise<void> {
    return finishPush(this.pool, keyOf(push));
  }

  postpone(push: ClaimedPush, seconds: number): Promise<void> {
    return retryPush(this.pool, { ...keyOf(push), wait: milliseconds(seconds * 1_000) });
  }

  sweep(): Promise<void> {
    return wakePushes(this.pool);
  }
}

/** Identifies a push. A newer push of the same conversation or call has the same tag and another message or state. */
function keyOf({ session_id, tag, message_id, call }: ClaimedPush) {
  return { session: session_id, about: tag, message: message_id, missed: call?.is_missed ?? false };
}
