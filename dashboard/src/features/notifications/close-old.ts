import type { ServiceEvent } from '../../api/event-stream';

/** Events in quick succession trigger a single check. */
const GATHER_MS = 1_000;

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Asks the service worker to close notifications of messages and calls that were read, answered or declined elsewhere. */
export async function closeOld(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration('/dashboard');
  registration?.active?.postMessage({ closeOld: true });
}

export function followRead({ name }: ServiceEvent): void {
  if ((name !== 'message.read' && !name.startsWith('call.')) || waiting !== undefined) return;
  waiting = setTimeout(() => {
    waiting = undefined;
    void closeOld();
  }, GATHER_MS);
}
