import { schemaName } from '../../../core/schema/shape.js';
import type { ApiVersion } from '../../../core/versions/api-version.js';
import { isWireRecord, type WireRecord } from '../../../core/versions/dialect.js';
import { present } from '../../../core/versions/present.js';
import type { Route } from '../../route.js';
import { noteOf } from '../notes/operations.js';
import { idsOfPaths, namedParameters } from './ids.js';
import { recordExamples } from './records.js';

/** Examples of the requests and responses of operations in one version. */

/** The example of a path parameter. */
export function pathExample(path: string, name: string): string | undefined {
  const [, collection = ''] = /\/([^/]+)\/\{id\}/.exec(path) ?? [];
  return name === 'id' ? idsOfPaths[collection] : namedParameters[name];
}

/** The example of the request body. Undefined if there is none. */
export function requestExample(route: Route, version: ApiVersion): object | undefined {
  const { request } = noteOf(route);
  if (request === undefined || version === '1.0') return request;
  const body = request as WireRecord;
  const type = schemaName(route.response);
  if (type === 'Message') return withContent(body);
  return type === 'Conversation' && isWireRecord(body.message)
    ? { ...body, message: withContent(body.message) }
    : body;
}

/** The example of the success response. Undefined if it has no body. */
export function answerExample(route: Route, version: ApiVersion): object | undefined {
  const { answer } = noteOf(route);
  const name = schemaName(route.response);
  const record = name === undefined ? undefined : recordExamples[name];
  if (record === undefined && answer === undefined) return undefined;
  const whole = present(name, { ...record, ...answer }, version);
  return route.list === undefined ? whole : page(whole, route.path, version);
}

/** The example of a success response that creates nothing. */
export function foundExample({ found }: Route, version: ApiVersion): object | undefined {
  const name = schemaName(found);
  const record = name === undefined ? undefined : recordExamples[name];
  return record && present(name, record as WireRecord, version);
}

/** An event as it appears in a stream. */
export function streamExample(version: ApiVersion): string {
  const payload = payloadExample(version);
  const lines = [
    'retry: 3000',
    '',
    `id: ${payload.id}`,
    `event: ${payload.event}`,
    `data: ${JSON.stringify(payload)}`,
  ];
  return `${lines.join('\n')}\n\n`;
}

function payloadExample(version: ApiVersion): WireRecord {
  const payload = recordExamples.WebhookPayload as WireRecord;
  return version === '1.0' ? payload : { ...payload, type: payload.event };
}

function page(record: object, path: string, version: ApiVersion): object {
  const pagination = { nextCursor: null, prevCursor: null, limit: 20, hasMore: false };
  if (version === '2.0') return { data: [record], pagination };
  const sent = path.replace(/\{(\w+)\}/g, (whole, name: string) => pathExample(path, name) ?? whole);
  const first = `/v1${sent}?page=1&limit=20`;
  return {
    data: [record],
    meta: { current_page: 1, total_pages: 1, total_items: 1, items_per_page: 20 },
    links: { first, last: first, prev: null, next: null },
    pagination,
  };
}

/** The body of a message in the format of 2.0. */
function withContent({ text, content_type: format, attachments, ...rest }: WireRecord): WireRecord {
  const content = {
    text,
    ...(format !== undefined && { format }),
    ...(attachments !== undefined && { attachments }),
  };
  return { ...rest, content };
}
