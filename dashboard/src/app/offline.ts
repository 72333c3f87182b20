import { registerServiceWorker } from '../api/service-worker';

/** Delay in milliseconds after the page's files load. The first screen has its data by then, also on a slow machine. */
const AFTER_MS = 5_000;

/** Lets the browser open the dashboard offline. Browsers offer service workers only on HTTPS and on localhost. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () =>
    void registerServiceWorker().catch((error: unknown) => console.info('offline.not_kept', error));
  // Storing all files needs network and CPU time that the first screen needs first.
  const later = () => setTimeout(register, AFTER_MS);
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
