import type { Caller } from '../access/caller.js';
import { csvLine } from '../csv/write-csv.js';
import type { FilterClause, ListQuery } from '../listing/list-spec.js';
import type { UserStore } from './ports.js';
import type { UserRecord } from './record.js';
import { viewerOf } from './use-cases.js';

const PAGE = 500;
/** The byte order mark, by which spreadsheets detect UTF-8. */
const MARK = '\uFEFF';
const COLUMNS = [
  'id',
  'display_name',
  'username',
  'email',
  'phone',
  'status',
  'locale',
  'timezone',
  'consent.marketing',
  'consent.notification',
  'consent.tracking',
  'addresses',
  'metadata',
  'created_at',
];

/** Contacts as CSV, newest first, page by page. A contact that is created during the export may be missing. */
export class ExportContacts {
  constructor(private readonly store: UserStore) {}

  /** `isStillValid` is checked between pages, so that an ended session gets no more data. */
  async *lines(
    caller: Caller,
    filter: readonly FilterClause[],
    isStillValid: () => Promise<boolean>,
  ): AsyncGenerator<string> {
    yield MARK + csvLine(COLUMNS);
    let at: ListQuery['at'] = { mode: 'first' };
    for (;;) {
      const query: ListQuery = { filter, sort: 'created_at', order: 'desc', limit: PAGE, at, count: false };
      const page = await this.store.list(caller.workspaceId, query, viewerOf(caller));
      for (const contact of page.items) yield lineOf(contact);
      if (!page.hasNext || page.lastKey === null) return;
      if (!(await isStillValid())) throw new Error('The session of an export ended.');
      at = { mode: 'after', key: page.lastKey, inclusive: false };
    }
  }
}

function lineOf(contact: UserRecord): string {
  const { id, display_name: name, username, email, phone, status, locale, timezone, consent } = contact;
  const addresses = contact.identities.map(({ platform, external_id: address }) => `${platform}:${address}`);
  const metadata = Object.keys(contact.metadata).length === 0 ? '' : JSON.stringify(contact.metadata);
  const states = [consent.marketing, consent.notification, consent.tracking];
  const about = [id, name, username, email, phone, status, locale, timezone];
  return csvLine([...about, ...states, addresses.join(' '), metadata, contact.created_at]);
}
