import { dashboardRoutes } from '../../src/app/routes/dashboard-routes.js';
import { routeTable, type UseCases } from '../../src/app/routes/route-table.js';
import type { Route } from '../../src/http/route.js';
import { SessionCookie } from '../../src/http/session-cookie.js';
import { Housekeeping } from '../../src/store/maintenance/housekeeping.js';

/** Replaces the use cases; none is called. */
const nothing = { get: () => Object.create(null) } as UseCases;

/** The routes of the REST interface, for inspection only. */
export function everyRoute(): Route[] {
  const housekeeping: Housekeeping = Object.create(Housekeeping.prototype);
  const ice = { stunUrls: [], turnUrls: [], turnSecret: undefined };
  const rtc = { ice, publicUrl: () => '', accept: () => undefined };
  return routeTable(nothing, { housekeeping, commit: '' }, rtc);
}

/** The routes that only users of the dashboard have, with their paths below `/dashboard/api`. */
export function everyDashboardRoute(): Route[] {
  return dashboardRoutes(nothing, new SessionCookie(''));
}
