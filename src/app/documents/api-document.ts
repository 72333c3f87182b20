import type { ApiVersion } from '../../core/versions/api-version.js';
import { describeApi } from '../../http/openapi/describe.js';
import { Housekeeping } from '../../store/maintenance/housekeeping.js';
import { routeTable, type UseCases } from '../routes/route-table.js';

/** The base address of the description that is kept in the documentation. */
const SERVER_URL = 'https://bridge.example';

/** The OpenAPI description of a version, as the service serves it; made without database or container. */
export function apiDocument(version: ApiVersion): object {
  // A description reads what the routes say and never calls what they do.
  const nothing = { get: () => Object.create(null) } as UseCases;
  const housekeeping: Housekeeping = Object.create(Housekeeping.prototype);
  const rtc = {
    ice: { stunUrls: [], turnUrls: [], turnSecret: undefined },
    publicUrl: () => SERVER_URL,
    accept: () => undefined,
  };
  return describeApi(routeTable(nothing, { housekeeping, commit: '' }, rtc), version, SERVER_URL);
}
