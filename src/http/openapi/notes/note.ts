import type { Scope } from '../../../core/access/scopes.js';
import type { ConflictReason } from '../../../core/common/errors.js';

/** What the description says of an operation in addition to its route. */
export interface OperationNote {
  /** The rules that its summary leaves out. */
  readonly description?: string;
  /** A body in its 1.0 shape. With the records of the examples it is accepted unchanged. */
  readonly request?: object;
  /** A form, where one is taken: `file` is a file, the rest are fields. */
  readonly form?: Readonly<Record<string, string>>;
  /** Where the answer is not the example of its record: differences, or the whole when it is no named record. */
  readonly answer?: object;
  /** Values of query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Scopes of a key, where the route asks for them by the caller. */
  readonly scopes?: readonly Scope[];
  /** Why its answer can be 409, apart from the Idempotency-Key; with what `details` adds. */
  readonly conflicts?: Partial<Readonly<Record<ConflictReason, object>>>;
}

/** By method and path, such as `GET /openapi/messages`. */
export type OperationNotes = Readonly<Record<string, OperationNote>>;
