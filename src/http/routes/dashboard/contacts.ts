import { z } from 'zod';
import { readFilters } from '../../../core/listing/filter.js';
import type { ExportContacts } from '../../../core/users/export.js';
import { consentChangeList, consentChangeRecord, userList } from '../../../core/users/record.js';
import type { ReadUsers } from '../../../core/users/use-cases.js';
import { csvAnswer } from '../../csv-answer.js';
import { listRoute, type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

const reading = { ...dashboard, scopes: ['profile:read'] } as const;
const exportQuery = z.object({ filter: z.string().optional() });

/** Data about contacts that only the dashboard shows. */
export function contactRoutes(users: ReadUsers, exports: ExportContacts): Route[] {
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
    route({
      ...reading,
      method: 'GET',
      path: '/contacts/export',
      summary: 'Get contacts as CSV, filtered as the list of users',
      query: exportQuery,
      success: 200,
      handler: ({ caller, query: { filter }, isStillValid }) => {
        const asked = readFilters(['kind:contact', ...(filter === undefined ? [] : [filter])], userList);
        return csvAnswer('contacts.csv', exports.lines(caller, asked, isStillValid));
      },
    }),
  ];
}
