import type { Scope } from '../../../core/access/scopes.js';
import type { ConflictReason } from '../../../core/common/errors.js';

/** Additions to the description of an operation that its route does not contain. */
export interface OperationNote {
  /** Rules that the summary does not contain. */
  readonly description?: string;
  /** An example of the request body in its 1.0 shape. It is valid together with the records of the examples. */
  readonly request?: object;
  /** An example of a form, if the operation takes one. `file` is a file, and the others are fields. */
  readonly form?: Readonly<Record<string, string>>;
  /**
   * The response, if it differs from the example of its record: the differences, or the whole response if it is no named
   * record.
   */
  readonly answer?: object;
  /** Examples of query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Scopes of a key, if the route determines them by the caller. */
  readonly scopes?: readonly Scope[];
  /** Reasons for a 409 response, except those of the Idempotency-Key, with the additions to `details`. */
  readonly conflicts?: Partial<Readonly<Record<ConflictReason, object>>>;
}

/** Notes by method and path, such as `GET /openapi/messages`. */
export type OperationNotes = Readonly<Record<string, OperationNote>>;
