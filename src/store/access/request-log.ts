import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { RequestEntry, RequestLogStore } from '../../core/request-log/ports.js';
import { type LoggedRequest, requestList } from '../../core/request-log/record.js';
import { appendRequests, loggedRequestRecordSql } from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const requestSource: ListSource = {
  table: 'request_log',
  record: loggedRequestRecordSql('request_log'),
  fields: {
    id: 'id',
    created_at: 'created_at',
    method: 'method',
    status: 'status',
    environment: 'environment',
    credential_id: 'credential_id',
    request_id: 'request_id',
  },
};

/** The requests of the last 24 hours in PostgreSQL. */
export class PostgresRequestLog implements RequestLogStore {
  constructor(private readonly pool: Pool) {}

  async append(requests: readonly RequestEntry[]): Promise<void> {
    await appendRequests(this.pool, requests);
  }

  list(
    workspaceId: string,
    query: ListQuery,
    pathPrefix: string | undefined,
  ): Promise<ListPage<LoggedRequest>> {
    const narrowed =
      pathPrefix === undefined ? [] : [{ sql: 'starts_with(path, $1::text)', values: [pathPrefix] }];
    return listRecords(this.pool, requestSource, requestList, workspaceId, query, narrowed);
  }
}
