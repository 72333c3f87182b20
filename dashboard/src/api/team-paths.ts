/** Team requests of the settings and the inbox. `session-paths.ts` has the other types. */

import type { ById, Json, List, NoContent, Place } from './path-shapes';

/** A group of members who work on the same conversations. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly member_ids: string[];
  readonly created_at: string;
}

export interface TeamFields {
  readonly name: string;
  readonly member_ids: readonly string[];
}

export interface TeamPaths {
  '/teams': {
    get: {
      parameters: { query?: Place & { readonly sort?: 'name'; readonly order?: 'asc' } };
      responses: { 200: Json<List<Team>> };
    };
    post: { requestBody: Json<TeamFields>; responses: { 201: Json<Team> } };
  };
  '/teams/{id}': {
    patch: ById & { requestBody: Json<Partial<TeamFields>>; responses: { 200: Json<Team> } };
    delete: ById & { responses: { 204: NoContent } };
  };
}
