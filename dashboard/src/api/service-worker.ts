/** The service worker opens the dashboard offline and shows push notifications. */
export const registerServiceWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/dashboard/service-worker.js', {
    scope: '/dashboard',
    updateViaCache: 'none',
  });
