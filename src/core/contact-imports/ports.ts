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
  /** Its place among the rows, from 1. */
  readonly number: number;
  /** Where it ends in the file. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What a row says of a contact, in the names of the database. */
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

/** A row as it is imported, or why it can't be. */
export type ImportEntry =
  | { readonly number: number; readonly problems: readonly RowProblem[] }
  | {
      readonly number: number;
      readonly contact: RowContact;
      /** Of a new contact. */
      readonly name: string;
      /** Finds the contact that exists; null: a new one. */
      readonly match: { readonly field: string; readonly value: string } | null;
    };

export interface NewContactImport {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_by: string;
  readonly file_name: string;
  readonly header: readonly string[];
}

/** Imports of a workspace, as people see and steer them. */
export interface ContactImportStore {
  find(workspaceId: string, id: string): Promise<ContactImportRecord | undefined>;
  list(workspaceId: string, query: ListQuery): Promise<ListPage<ContactImportRecord>>;
  listRows(workspaceId: string, id: string, query: ListQuery): Promise<ListPage<ContactImportRowRecord>>;
  /** Rows in the order of the file, `limit` of them after a number. */
  rowsAfter(
    workspaceId: string,
    id: string,
    number: number,
    limit: number,
    which: 'all' | 'failed',
  ): Promise<readonly StoredRow[]>;
  /** Stores an upload with its rows, as they come; an error of the file leaves nothing behind. Raises `limit_reached`. */
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
  /** Removes what the import created, as a job. Raises `not_found`, `conflict` (`invalid_state`). */
  undo(workspaceId: string, id: string, memberId: string): Promise<ContactImportRecord>;
  /** Raises `not_found`, `conflict` (`invalid_state`) while a worker is at it. */
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

/** The worker's side. Each step is a transaction; a step that is done twice changes nothing. */
export interface ContactImportWork {
  /** Undefined while another worker is at it, and when nothing is left to do. The lease ends 15 s after the last step. */
  claim(id: string): Promise<ClaimedImport | undefined>;
  release(id: string): Promise<void>;
  /** The next rows without a result. */
  nextRows(id: string, limit: number): Promise<readonly ImportRow[]>;
  /** Imports rows that have no result, each with its result in one transaction. Resolves with the status after it. */
  apply(id: string, entries: readonly ImportEntry[]): Promise<ContactImportStatus | null>;
  /** Removes contacts that the import created and that were not changed or used since. Resolves with the status after it. */
  undoRows(id: string, most: number): Promise<ContactImportStatus | null>;
  /** Reminds of imports whose reminder was lost, and removes old ones. */
  sweep(): Promise<void>;
}
