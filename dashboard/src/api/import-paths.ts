/** Contact import requests of the dashboard. As in session-paths.ts, these types are written by hand. */

import type { ById, Json, List, NoContent, Page } from './path-shapes';

export interface ImportMapping {
  /** The field of each column. Null skips the column. */
  readonly columns: (string | null)[];
  /** The field by which existing contacts are matched. Null creates a contact for each row. */
  readonly match_by: string | null;
  readonly existing: 'update' | 'skip';
}

export interface ContactImport {
  readonly id: string;
  readonly file_name: string;
  readonly header: string[];
  readonly rows: number;
  readonly status: 'uploaded' | 'running' | 'completed' | 'undoing' | 'undone';
  readonly mapping: ImportMapping | null;
  readonly counts: Readonly<
    Record<'created' | 'updated' | 'unchanged' | 'failed' | 'removed' | 'kept', number>
  >;
  readonly created_at: string;
}

export interface RowProblem {
  readonly field?: string;
  readonly code: string;
  /** The conflicting contact. */
  readonly user_id?: string;
}

export interface ImportRow {
  readonly id: string;
  readonly line: number;
  /** Null after the contact was erased. */
  readonly cells: string[] | null;
  readonly result: 'created' | 'updated' | 'unchanged' | 'failed' | null;
  readonly problems: RowProblem[];
  readonly user_id: string | null;
  readonly undo: 'removed' | 'kept' | null;
  readonly kept_reason: string | null;
}

export interface ImportPreview {
  readonly rows: number;
  readonly wrong: number;
  readonly problems: { readonly line: number; readonly cells: string[]; readonly problems: RowProblem[] }[];
}

export interface ImportPaths {
  '/contact-imports': {
    get: { parameters: { query?: Page }; responses: { 200: Json<List<ContactImport>> } };
    post: {
      requestBody: { content: { 'multipart/form-data': FormData } };
      responses: { 201: Json<ContactImport> };
    };
  };
  '/contact-imports/{id}': {
    get: ById & { responses: { 200: Json<ContactImport> } };
    delete: ById & { responses: { 204: NoContent } };
  };
  '/contact-imports/{id}/rows': {
    get: {
      parameters: { path: { id: string }; query?: Page };
      responses: { 200: Json<List<ImportRow>> };
    };
  };
  '/contact-imports/{id}/preview': {
    post: ById & { requestBody: Json<ImportMapping>; responses: { 200: Json<ImportPreview> } };
  };
  '/contact-imports/{id}/start': {
    post: ById & { requestBody: Json<ImportMapping>; responses: { 200: Json<ContactImport> } };
  };
  '/contact-imports/{id}/undo': {
    post: ById & { requestBody: Json<object>; responses: { 200: Json<ContactImport> } };
  };
}
