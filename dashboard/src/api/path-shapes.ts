/** The shapes that the hand-written paths share. */

export interface Json<T> {
  content: { 'application/json': T };
}

export interface List<T> {
  readonly data: T[];
  readonly pagination: { readonly nextCursor: string | null };
}

/** A path that names one record. */
export interface ById {
  parameters: { path: { id: string } };
}

/** An answer without a body. */
export interface NoContent {
  content?: never;
}

/** A read without parameters. */
export interface Get<T> {
  get: { responses: { 200: Json<T> } };
}

/** Which part of a list is wanted. */
export interface Place {
  readonly limit?: number;
  readonly cursor?: string;
}

/** The same of a list with an order and filters. */
export interface Page extends Place {
  readonly order?: 'asc' | 'desc';
  readonly filter?: string[];
}
