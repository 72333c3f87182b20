import { changeTeamBody, createTeamBody } from '../../../core/teams/bodies.js';
import type { TeamStore } from '../../../core/teams/ports.js';
import { teamList, teamRecord } from '../../../core/teams/record.js';
import { listRoute, type Route, route } from '../../route.js';
import { dashboard, idParams, managing } from './common.js';

export function teamRoutes(teams: TeamStore): Route[] {
  return [
    listRoute({
      ...dashboard,
      path: '/teams',
      summary: 'List teams',
      response: teamRecord,
      list: teamList,
      handler: ({ caller, list }) => teams.list(caller.workspaceId, list),
    }),
    route({
      ...managing,
      method: 'POST',
      path: '/teams',
      summary: 'Make a team',
      body: createTeamBody,
      success: 201,
      response: teamRecord,
      handler: ({ caller, body, resourceId }) =>
        teams.create({ ...body, id: resourceId, workspace_id: caller.workspaceId }),
    }),
    route({
      ...managing,
      method: 'PATCH',
      path: '/teams/{id}',
      summary: 'Rename a team, or replace its members',
      params: idParams,
      body: changeTeamBody,
      success: 200,
      response: teamRecord,
      handler: ({ caller, params, body }) => teams.change(caller.workspaceId, params.id, body),
    }),
    route({
      ...managing,
      method: 'DELETE',
      path: '/teams/{id}',
      summary: 'Delete a team. Its conversations stay, without a team',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await teams.delete(caller.workspaceId, params.id);
        return undefined;
      },
    }),
  ];
}
