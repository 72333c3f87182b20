/** Types that the hand-written paths share. */

export interface Json<T> {
  content: { 'application/json': T };
}

export interface List<T> {
  readonly data: T[];
  readonly pagination: { readonly nextCursor: string | null };
}

/** A path with the id of one record. */
export interface ById {
  parameters: { path: { id: string } };
}

/** A response without a body. */
export interface NoContent {
  content?: never;
}

/** A GET request without parameters. */
export interface Get<T> {
  get: { responses: { 200: Json<T> } };
}

/** Pagination parameters of a list. */
export interface Place {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Pagination parameters of a list that also supports sorting and filters. */
export interface Page extends Place {
  readonly order?: 'asc' | 'desc';
  readonly filter?: string[];
}
