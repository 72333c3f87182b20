import { z } from 'zod';
import type { ListSpec } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';

/** Imports of contacts, as the dashboard shows them. */

export const importStatuses = ['uploaded', 'running', 'completed', 'undoing', 'undone'] as const;
export type ContactImportStatus = (typeof importStatuses)[number];

export const mappingRecord = z.object({
  columns: z.array(z.string().nullable()),
  match_by: z.string().nullable(),
  existing: z.enum(['update', 'skip']),
});
/** The fields that the columns of a file contain, and how existing contacts are handled. */
export type ImportMapping = z.infer<typeof mappingRecord>;

export const contactImportRecord = z.object({
  id: wireId,
  file_name: z.string(),
  header: z.array(z.string()),
  rows: z.int(),
  status: z.enum(importStatuses),
  mapping: mappingRecord.nullable(),
  counts: z.object({
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    removed: z.int(),
    kept: z.int(),
  }),
  created_by: wireId,
  created_at: wireTime,
  started_at: wireTime.nullable(),
  completed_at: wireTime.nullable(),
  undone_at: wireTime.nullable(),
});
export type ContactImportRecord = z.infer<typeof contactImportRecord>;

const rowProblem = z.object({
  /** The field of the contact; absent if the problem concerns the whole row. */
  field: z.string().optional(),
  code: z.string(),
  /** The contact that conflicts with the row. */
  user_id: wireId.optional(),
});
/** Why a row failed, or which part of it was ignored. */
export type RowProblem = z.infer<typeof rowProblem>;

export const contactImportRowRecord = z.object({
  id: wireId,
  line: z.int(),
  cells: z.array(z.string()).nullable(),
  result: z.enum(['created', 'updated', 'unchanged', 'failed']).nullable(),
  problems: z.array(rowProblem),
  user_id: wireId.nullable(),
  undo: z.enum(['removed', 'kept']).nullable(),
  kept_reason: z.string().nullable(),
});
export type ContactImportRowRecord = z.infer<typeof contactImportRowRecord>;

/** The result of a mapping, before anything is imported. */
export const importPreviewRecord = z.object({
  rows: z.int(),
  wrong: z.int(),
  problems: z.array(z.object({ line: z.int(), cells: z.array(z.string()), problems: z.array(rowProblem) })),
});
export type ImportPreviewRecord = z.infer<typeof importPreviewRecord>;

export const contactImportList: ListSpec = {
  sort: ['created_at'],
  filter: { id: { type: 'uuid' }, created_at: { type: 'timestamp' }, status: { type: 'enum' } },
};

export const contactImportRowList: ListSpec = {
  sort: ['line'],
  filter: {
    id: { type: 'uuid' },
    line: { type: 'int' },
    result: { type: 'enum', nullable: true },
    undo: { type: 'enum', nullable: true },
  },
};
