import type { Caller } from '../access/caller.js';
import { unauthorized } from '../access/failed-authentications.js';
import type { SessionIdentity } from '../access/session-identity.js';
import { notFound } from '../common/errors.js';
import type { TargetGuard } from '../common/outgoing.js';
import type { NotificationChoices, PushSubscriptionBody } from './bodies.js';
import type { NotificationStore, PushKeys } from './ports.js';
import type { NotificationsRecord, PushResult } from './record.js';
import type { PushSender } from './sender.js';

/** The notifications of the member of a session. */
export class OwnNotifications {
  constructor(
    private readonly store: NotificationStore,
    private readonly keys: PushKeys,
    private readonly guard: TargetGuard,
    private readonly sender: PushSender,
  ) {}

  read(caller: Caller): Promise<NotificationsRecord> {
    const { workspaceId, userId, sessionId } = sessionOf(caller);
    return this.store.read(workspaceId, userId, sessionId);
  }

  async change(caller: Caller, patch: Partial<NotificationChoices>): Promise<NotificationsRecord> {
    const { workspaceId, userId } = sessionOf(caller);
    await this.store.change(workspaceId, userId, patch);
    return this.read(caller);
  }

  /** The key with which a browser subscribes at its push service. */
  async publicKey(): Promise<string> {
    return (await this.keys.key()).publicKey;
  }

  /**
   * Stores the subscription of the session's browser. Raises `invalid_request` for an address that the service may not connect
   * to.
   */
  async subscribe(caller: Caller, { endpoint, keys }: PushSubscriptionBody): Promise<void> {
    const { workspaceId, userId, sessionId } = sessionOf(caller);
    await this.guard.checkUrl(endpoint, 'endpoint');
    await this.store.subscribe({
      session_id: sessionId,
      workspace_id: workspaceId,
      user_id: userId,
      endpoint,
      ...keys,
    });
  }

  unsubscribe(caller: Caller): Promise<void> {
    return this.store.unsubscribe(sessionOf(caller).sessionId, null);
  }

  /** Sends a push to the browser of the session. Raises `not_found` if it has no subscription. */
  async test(caller: Caller): Promise<PushResult> {
    const { workspaceId, sessionId } = sessionOf(caller);
    const target = await this.store.subscription(workspaceId, sessionId);
    if (target === undefined) throw notFound('The push subscription');
    const { result } = await this.sender.send(target, {
      tag: sessionId,
      id: '',
      title: null,
      body: null,
      path: '/dashboard/settings/notifications',
    });
    if (result === 'gone') await this.store.unsubscribe(sessionId, target.endpoint);
    return result === 'later' ? 'unreachable' : result;
  }
}

function sessionOf({ session }: Caller): SessionIdentity {
  if (session === undefined) throw unauthorized();
  return session;
}
