import { registerServiceWorker } from '../api/service-worker';

/** The first screen has its data by then, also on a slow machine; in milliseconds after the files of the page. */
const AFTER_MS = 5_000;

/** Lets the browser open the dashboard without a network. Browsers offer this on HTTPS and on the own machine alone. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () =>
    void registerServiceWorker().catch((error: unknown) => console.info('offline.not_kept', error));
  // Storing all files takes the network and the processor that the first screen needs.
  const later = () => setTimeout(register, AFTER_MS);
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
