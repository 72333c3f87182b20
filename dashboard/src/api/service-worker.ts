/** The service worker opens the dashboard without a network, and shows pushes. */
export const registerServiceWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/dashboard/service-worker.js', {
    scope: '/dashboard',
    updateViaCache: 'none',
  });
