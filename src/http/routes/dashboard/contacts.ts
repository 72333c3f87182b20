import { consentChangeList, consentChangeRecord } from '../../../core/users/record.js';
import type { ReadUsers } from '../../../core/users/use-cases.js';
import { listRoute, type Route } from '../../route.js';
import { dashboard, idParams } from './common.js';

const reading = { ...dashboard, scopes: ['profile:read'] } as const;

/** What the dashboard shows of contacts and the REST interface does not. */
export function contactRoutes(users: ReadUsers): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/contacts/{id}/consent-changes',
      summary: 'List the changes of consent of a contact',
      params: idParams,
      response: consentChangeRecord,
      list: consentChangeList,
      handler: ({ caller, params, list }) => users.consentChanges(caller, params.id, list),
    }),
  ];
}
