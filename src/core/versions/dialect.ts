import type { FieldProblem } from '../common/errors.js';

export type WireRecord = Readonly<Record<string, unknown>>;

export function isWireRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How one type of record differs in version 2.0. Records without dialect are equal in both versions. */
export interface Dialect {
  /** From the 1.0 shape to the 2.0 shape; names in `expanded` were asked to stay or stand inline. */
  present(record: WireRecord, expanded: ReadonlySet<string>): WireRecord;
  /** From a 2.0 request body to the 1.0 one; fields that 2.0 does not know go to `problems`. */
  accept?(body: WireRecord, problems: FieldProblem[]): WireRecord;
  /** Names in 2.0 of fields of the 1.0 body, with their path, for problems that validation finds. */
  readonly names?: Readonly<Record<string, string>>;
  /** Fields that only the 2.0 record has, read-only in requests. */
  readonly readOnly?: readonly string[];
  /** JSON Schema of the 2.0 record and request body, from those of 1.0. */
  describe?(schema: WireRecord, direction: 'request' | 'response'): WireRecord;
}
