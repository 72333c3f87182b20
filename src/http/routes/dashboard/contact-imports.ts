import { z } from 'zod';
import { importMappingBody } from '../../../core/contact-imports/bodies.js';
import {
  contactImportList,
  contactImportRecord,
  contactImportRowList,
  contactImportRowRecord,
  importPreviewRecord,
} from '../../../core/contact-imports/record.js';
import type { ManageContactImports } from '../../../core/contact-imports/use-cases.js';
import type { MediaFiles } from '../../../core/media/ports.js';
import { csvAnswer } from '../../csv-answer.js';
import { listRoute, type Route, route } from '../../route.js';
import { dashboard, idParams } from './common.js';

const MAX_BYTES = 10 * 1024 * 1024;

const reading = { ...dashboard, scopes: ['profile:read'] } as const;
const writing = { ...dashboard, scopes: ['profile:write'] } as const;
const one = { path: '/contact-imports/{id}', params: idParams } as const;

/** Imports of contacts from CSV files. */
export function contactImportRoutes(imports: ManageContactImports, files: MediaFiles): Route[] {
  return [...readingRoutes(imports), uploadRoute(imports, files), ...stateRoutes(imports)];
}

function readingRoutes(imports: ManageContactImports): Route[] {
  return [
    listRoute({
      ...reading,
      path: '/contact-imports',
      summary: 'List imports of contacts',
      response: contactImportRecord,
      list: contactImportList,
      handler: ({ caller, list }) => imports.list(caller, list),
    }),
    route({
      ...reading,
      ...one,
      method: 'GET',
      summary: 'Get an import and its progress',
      success: 200,
      response: contactImportRecord,
      handler: ({ caller, params }) => imports.get(caller, params.id),
    }),
    listRoute({
      ...reading,
      path: '/contact-imports/{id}/rows',
      params: idParams,
      summary: 'List the rows of an import with their results',
      response: contactImportRowRecord,
      list: contactImportRowList,
      handler: ({ caller, params, list }) => imports.rows(caller, params.id, list),
    }),
    route({
      ...reading,
      method: 'GET',
      path: '/contact-imports/{id}/failed-rows',
      params: idParams,
      summary: 'Get the rows that failed as CSV',
      success: 200,
      handler: ({ caller, params }) => csvAnswer('failed-rows.csv', imports.failedRows(caller, params.id)),
    }),
  ];
}

function uploadRoute(imports: ManageContactImports, files: MediaFiles): Route {
  return route({
    ...writing,
    method: 'POST',
    path: '/contact-imports',
    summary: 'Upload a CSV file of contacts; nothing is imported yet',
    body: z.object({}),
    upload: {
      streamed: {
        part: 'file',
        maxBytes: MAX_BYTES,
        stage: (source, maxBytes) => files.stage(source, maxBytes),
        discard: (file) => files.discard(file),
      },
    },
    success: 201,
    response: contactImportRecord,
    handler: ({ caller, file, resourceId }) => {
      if (file === undefined) throw new Error('A form without a file passed the checks.');
      return imports.upload(caller, { name: file.name, open: () => files.read(file) }, resourceId);
    },
  });
}

function stateRoutes(imports: ManageContactImports): Route[] {
  return [
    route({
      ...writing,
      method: 'POST',
      path: '/contact-imports/{id}/preview',
      params: idParams,
      summary: 'Check the rows of an import without importing them',
      body: importMappingBody,
      success: 200,
      response: importPreviewRecord,
      handler: ({ caller, params, body }) => imports.preview(caller, params.id, body),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/contact-imports/{id}/start',
      params: idParams,
      summary: 'Start an import',
      body: importMappingBody,
      success: 200,
      response: contactImportRecord,
      handler: ({ caller, params, body }) => imports.start(caller, params.id, body),
    }),
    route({
      ...writing,
      method: 'POST',
      path: '/contact-imports/{id}/undo',
      params: idParams,
      summary: 'Remove the contacts that an import created, unless they were changed or used since',
      success: 200,
      response: contactImportRecord,
      handler: ({ caller, params }) => imports.undo(caller, params.id),
    }),
    route({
      ...writing,
      ...one,
      method: 'DELETE',
      summary: 'Delete an import with its rows; its contacts stay',
      success: 204,
      handler: async ({ caller, params }) => {
        await imports.delete(caller, params.id);
        return undefined;
      },
    }),
  ];
}
