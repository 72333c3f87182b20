import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ChangeTeamBody } from '../../core/teams/bodies.js';
import type { NewTeam, TeamStore } from '../../core/teams/ports.js';
import { type TeamRecord, teamList } from '../../core/teams/record.js';
import { changeTeam, createTeam, deleteTeam, teamRecordSql } from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const WHAT = 'The team';

const teamSource: ListSource = {
  table: 'teams',
  record: teamRecordSql('teams'),
  where: 'deleted_at IS NULL',
  fields: { id: 'id', created_at: 'created_at', updated_at: 'updated_at', name: 'name' },
};

/** Teams in PostgreSQL. */
export class PostgresTeams implements TeamStore {
  constructor(private readonly pool: Pool) {}

  list(workspaceId: string, query: ListQuery): Promise<ListPage<TeamRecord>> {
    return listRecords(this.pool, teamSource, teamList, workspaceId, query);
  }

  async create(team: NewTeam): Promise<TeamRecord> {
    return (await createTeam(this.pool, team, WHAT)).record;
  }

  async change(workspaceId: string, id: string, patch: ChangeTeamBody): Promise<TeamRecord> {
    return (await changeTeam(this.pool, { ...patch, workspace_id: workspaceId, id }, WHAT)).record;
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await deleteTeam(this.pool, { workspace_id: workspaceId, id }, WHAT);
  }
}
