import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type {
  ContactImportRecord,
  ContactImportRowRecord,
  ContactImportStatus,
  ImportMapping,
  RowProblem,
} from './record.js';

/** A row of a file. */
export interface ImportRow {
  /** Number of the row, starting at 1. */
  readonly number: number;
  /** The line on which the row ends in the file. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The contact in a row, in the names of the database. */
export interface RowContact {
  readonly display_name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly username?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly identities?: readonly { readonly platform: string; readonly external_id: string }[];
  readonly consent?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A row to import, or the reasons why it cannot be imported. */
export type ImportEntry =
  | { readonly number: number; readonly problems: readonly RowProblem[] }
  | {
      readonly number: number;
      readonly contact: RowContact;
      /** The name to use if the contact is new. */
      readonly name: string;
      /** How to find the existing contact; null: create a new one. */
      readonly match: { readonly field: string; readonly value: string } | null;
    };

export interface NewContactImport {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly file_name: string;
  readonly header: readonly string[];
}

/** Imports of a workspace, as members manage them. */
export interface ContactImportStore {
  find(workspaceId: string, id: string): Promise<ContactImportRecord | undefined>;
  list(workspaceId: string, query: ListQuery): Promise<ListPage<ContactImportRecord>>;
  listRows(workspaceId: string, id: string, query: ListQuery): Promise<ListPage<ContactImportRowRecord>>;
  /** Up to `limit` rows after a row number, in the order of the file. */
  rowsAfter(
    workspaceId: string,
    id: string,
    number: number,
    limit: number,
    which: 'all' | 'failed',
  ): Promise<readonly StoredRow[]>;
  /** Stores an upload and its rows as they arrive. An error in the file rolls everything back. Raises `limit_reached`. */
  create(
    upload: NewContactImport,
    batches: AsyncIterable<readonly ImportRow[]>,
  ): Promise<ContactImportRecord>;
  /** Raises `not_found`, `conflict` (`invalid_state`). */
  start(
    workspaceId: string,
    id: string,
    memberId: string,
    mapping: ImportMapping,
  ): Promise<ContactImportRecord>;
  /** Starts a job that removes the contacts that the import created. Raises `not_found`, `conflict` (`invalid_state`). */
  undo(workspaceId: string, id: string, memberId: string): Promise<ContactImportRecord>;
  /** Raises `not_found`, and `conflict` (`invalid_state`) while a worker processes the import. */
  delete(workspaceId: string, id: string): Promise<void>;
}

export interface StoredRow extends Omit<ImportRow, 'cells'> {
  /** Null after the erasure of its contact. */
  readonly cells: readonly string[] | null;
  readonly problems: readonly RowProblem[];
}

export interface ClaimedImport {
  readonly status: 'running' | 'undoing';
  readonly header: readonly string[];
  readonly mapping: ImportMapping;
}

/** The work on imports. Each step is one idempotent transaction. */
export interface ContactImportWork {
  /** Undefined while another worker has the lease, and when no work is left. The lease ends 15 s after the last step. */
  claim(id: string): Promise<ClaimedImport | undefined>;
  release(id: string): Promise<void>;
  /** The next rows without a result. */
  nextRows(id: string, limit: number): Promise<readonly ImportRow[]>;
  /** Imports rows without a result. Stores each contact and its result in one transaction. Resolves with the new status. */
  apply(id: string, entries: readonly ImportEntry[]): Promise<ContactImportStatus | null>;
  /** Removes contacts that the import created and that were not changed or used since. Resolves with the new status. */
  undoRows(id: string, batchSize: number): Promise<ContactImportStatus | null>;
  /** Stores reminders that were lost, and removes old imports. */
  sweep(): Promise<void>;
}
