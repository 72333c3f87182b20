import { dashboardRoutes } from '../../src/app/routes/dashboard-routes.js';
import { routeTable, type UseCases } from '../../src/app/routes/route-table.js';
import type { Route } from '../../src/http/route.js';
import { SessionCookie } from '../../src/http/session-cookie.js';
import { Housekeeping } from '../../src/store/maintenance/housekeeping.js';

/** Where use cases would come from; none is called. */
const nothing = { get: () => Object.create(null) } as UseCases;

/** The routes of the REST interface, to be read and not to be called. */
export function everyRoute(): Route[] {
  const housekeeping: Housekeeping = Object.create(Housekeeping.prototype);
  const ice = { stunUrls: [], turnUrls: [], turnSecret: undefined };
  const rtc = { ice, publicUrl: () => '', accept: () => undefined };
  return routeTable(nothing, { housekeeping, commit: '' }, rtc);
}

/** The routes that only people at the dashboard have, their paths below `/dashboard/api`. */
export function everyDashboardRoute(): Route[] {
  return dashboardRoutes(nothing, new SessionCookie(''));
}
