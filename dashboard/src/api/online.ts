import { useSyncExternalStore } from 'react';

const EVENTS = ['online', 'offline'] as const;

function subscribe(changed: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, changed);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, changed);
  };
}

/** Whether the browser has a network. An open stream notices a lost network only after its silence. */
export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
