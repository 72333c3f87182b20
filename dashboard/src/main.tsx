import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { type Query, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/errors';
import { keepOffline } from './app/offline';
import { makeRouter } from './app/router';
import { language } from './i18n/language';
import { Toasts } from './kit/toast';
import './styles.css';

const RETRIES = 3;
/** Events keep shown data current. This covers data without events. */
const STALE_MS = 30_000;

/** A refused request is not retried. Other failures are temporary. */
function mayPass(failures: number, error: unknown): boolean {
  const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isFinal && failures < RETRIES;
}

/** A record that was deleted, or that the user may no longer see, is not shown from the cache. */
function dropGone(error: unknown, query: Query<unknown, unknown, unknown>): void {
  if (error instanceof ApiError && error.status === 404)
    query.setState({ data: undefined, dataUpdatedAt: 0 });
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: dropGone }),
  defaultOptions: { queries: { retry: mayPass, staleTime: STALE_MS }, mutations: { retry: false } },
});

document.documentElement.lang = language;
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Tooltip.Provider>
          <Toasts>
            <RouterProvider router={makeRouter(queries)} />
          </Toasts>
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);

if (import.meta.env.PROD) keepOffline();
