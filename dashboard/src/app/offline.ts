/** Lets the browser open the dashboard without a network. Browsers offer this on HTTPS and on the own machine alone. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = () =>
    void navigator.serviceWorker
      .register('/dashboard/service-worker.js', { scope: '/dashboard', updateViaCache: 'none' })
      .catch((error: unknown) => console.info('offline.not_kept', error));
  // What the page needs now is loaded first.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
