import type { FieldProblem } from '../common/errors.js';

export type WireRecord = Readonly<Record<string, unknown>>;

export function isWireRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The differences of a record type in version 2.0. Records without a dialect are equal in both versions. */
export interface Dialect {
  /** Converts a 1.0 record to the 2.0 form. `expanded`: names of fields to keep or to embed. */
  present(record: WireRecord, expanded: ReadonlySet<string>): WireRecord;
  /** Converts a 2.0 request body to the 1.0 form. Adds unknown fields to `problems`. */
  accept?(body: WireRecord, problems: FieldProblem[]): WireRecord;
  /** The 2.0 names of fields of the 1.0 body, with their path, for validation problems. */
  readonly names?: Readonly<Record<string, string>>;
  /** Fields that only the 2.0 record has. They are read-only in requests. */
  readonly readOnly?: readonly string[];
  /** Derives the JSON Schema of the 2.0 record or request body from that of 1.0. */
  describe?(schema: WireRecord, direction: 'request' | 'response'): WireRecord;
}
