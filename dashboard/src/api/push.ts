import { api, must } from './client';
import { registerServiceWorker } from './service-worker';

/** Stored in this browser: the user who turned push notifications on. Another user who signs in here gets none. */
const KEY = 'pushes';

/** Whether this browser supports push notifications. Browsers offer them only on HTTPS and on localhost. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** The user did not allow notifications in this browser. */
export class PushNotAllowed extends Error {
  override readonly name = 'PushNotAllowed';
}

/**
 * Asks the user for permission and subscribes this browser. Throws PushNotAllowed, or the browser's error if it has no push
 * service.
 */
export async function turnOnPush(userId: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushNotAllowed();
  const { public_key: key } = await must(api.GET('/push-key'));
  await registerServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  await tell(await subscribe(pushManager, key));
  localStorage.setItem(KEY, userId);
}

export async function turnOffPush(): Promise<void> {
  localStorage.removeItem(KEY);
  await must(api.DELETE('/push-subscription'));
  const registration = await navigator.serviceWorker.getRegistration('/dashboard');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Moves the push subscription of this browser to a new session of the same user. */
export async function renewPush(userId: string): Promise<void> {
  if (!canPush() || localStorage.getItem(KEY) !== userId || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker.getRegistration('/dashboard');
  const subscription = await registration?.pushManager.getSubscription();
  if (subscription != null) await tell(subscription);
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
  await must(api.PUT('/push-subscription', { body }));
}

/** A browser that subscribed with a different key keeps that key until it unsubscribes. */
async function subscribe(pushManager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const former = await pushManager.getSubscription();
    if (former === null) throw error;
    await former.unsubscribe();
    return pushManager.subscribe(options);
  }
}
