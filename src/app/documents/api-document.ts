import type { ApiVersion } from '../../core/versions/api-version.js';
import { describeApi } from '../../http/openapi/describe.js';
import { Housekeeping } from '../../store/maintenance/housekeeping.js';
import { routeTable, type UseCases } from '../routes/route-table.js';

/** Server URL of the description that is part of the documentation. */
const SERVER_URL = 'https://bridge.example';

/** The OpenAPI description of an API version, as the service serves it. It needs no database and no container. */
export function apiDocument(version: ApiVersion): object {
  // The description reads the metadata of routes and never calls their handlers.
  const nothing = { get: () => Object.create(null) } as UseCases;
  const housekeeping: Housekeeping = Object.create(Housekeeping.prototype);
  const rtc = {
    ice: { stunUrls: [], turnUrls: [], turnSecret: undefined },
    publicUrl: () => SERVER_URL,
    accept: () => undefined,
  };
  return describeApi(routeTable(nothing, { housekeeping, commit: '' }, rtc), version, SERVER_URL);
}
