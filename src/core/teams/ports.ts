import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeTeamBody, CreateTeamBody } from './bodies.js';
import type { TeamRecord } from './record.js';

/** A team to store, with the field names of the database. */
export interface NewTeam extends CreateTeamBody {
  readonly id: string;
  readonly workspace_id: string;
}

/** Teams of a workspace. */
export interface TeamStore {
  list(workspaceId: string, query: ListQuery): Promise<ListPage<TeamRecord>>;
  /** Raises `conflict` (`already_exists`) for a name that is taken, and `not_found` for an id that belongs to no member. */
  create(team: NewTeam): Promise<TeamRecord>;
  /** Raises `not_found`, and the errors of {@link create}. */
  change(workspaceId: string, id: string, patch: ChangeTeamBody): Promise<TeamRecord>;
  /** Conversations of the team stay, without a team. Raises `not_found`. */
  delete(workspaceId: string, id: string): Promise<void>;
}
