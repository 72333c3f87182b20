import type { Caller } from '../access/caller.js';
import { csvLine } from '../csv/write-csv.js';
import type { FilterClause, ListQuery } from '../listing/list-spec.js';
import type { BroadcastRecipientRecord } from './record.js';
import type { ReadBroadcasts } from './use-cases.js';

const PAGE = 500;
/** Byte order mark, which makes spreadsheets read the file as UTF-8. */
const MARK = '\uFEFF';
const COLUMNS = [
  'id',
  'user_id',
  'message_id',
  'platform',
  'address',
  'variant',
  'status',
  'skip_reason',
  'error_code',
  'error_message',
  'attempts',
  'queued_at',
  'sent_at',
  'delivered_at',
  'read_at',
];

/** Exports the recipients of a broadcast as CSV, one page at a time. */
export class ExportRecipients {
  constructor(private readonly broadcasts: ReadBroadcasts) {}

  /** Raises `not_found`. Calls `isStillValid` between pages and fails when the session has ended. */
  async *lines(
    caller: Caller,
    id: string,
    filter: readonly FilterClause[],
    isStillValid: () => Promise<boolean>,
  ): AsyncGenerator<string> {
    let at: ListQuery['at'] = { mode: 'first' };
    for (;;) {
      const query: ListQuery = { filter, sort: 'created_at', order: 'desc', limit: PAGE, at, count: false };
      const page = await this.broadcasts.listRecipients(caller, id, query);
      if (at.mode === 'first') yield MARK + csvLine(COLUMNS);
      for (const recipient of page.items) yield lineOf(recipient);
      if (!page.hasNext || page.lastKey === null) return;
      if (!(await isStillValid())) throw new Error('The session of an export ended.');
      at = { mode: 'after', key: page.lastKey, inclusive: false };
    }
  }
}

function lineOf(recipient: BroadcastRecipientRecord): string {
  const { id, user_id: user, message_id: message, platform, address, variant, status } = recipient;
  const { skip_reason: reason, error, attempts, queued_at: queued, sent_at: sent } = recipient;
  const { delivered_at: delivered, read_at: read } = recipient;
  const result = [status, reason, error?.code ?? null, error?.message ?? null, String(attempts)];
  return csvLine([id, user, message, platform, address, variant, ...result, queued, sent, delivered, read]);
}
