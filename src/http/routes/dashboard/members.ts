import { changeMemberBody, createMemberBody } from '../../../core/members/bodies.js';
import { invitationRecord, memberList, memberRecord } from '../../../core/members/record.js';
import type { ManageMembers } from '../../../core/members/use-cases.js';
import { secondStepRecord } from '../../../core/sessions/second-step-record.js';
import { listRoute, type Route, route } from '../../route.js';
import { idParams, managing, revoking } from './common.js';

export function memberRoutes(members: ManageMembers): Route[] {
  return [
    listRoute({
      ...managing,
      path: '/members',
      summary: 'List members and bots',
      response: memberRecord,
      list: memberList,
      handler: ({ caller, list }) => members.list(caller, list),
    }),
    route({
      ...managing,
      method: 'POST',
      path: '/members',
      summary: 'Invite a member, or make a bot',
      body: createMemberBody,
      success: 201,
      response: invitationRecord,
      handler: ({ caller, body, resourceId }) => members.create(caller, body, resourceId),
    }),
    route({
      ...revoking,
      method: 'PATCH',
      path: '/members/{id}',
      summary: 'Change a role, suspend, or admit again',
      params: idParams,
      body: changeMemberBody,
      success: 200,
      response: memberRecord,
      handler: ({ caller, params, body }) => members.change(caller, params.id, body),
    }),
    route({
      ...revoking,
      method: 'DELETE',
      path: '/members/{id}',
      summary: 'Remove a member',
      params: idParams,
      success: 204,
      handler: async ({ caller, params }) => {
        await members.remove(caller, params.id);
        return undefined;
      },
    }),
    secondStepOf(members),
    secondStepReset(members),
  ];
}

function secondStepOf(members: ManageMembers): Route {
  return route({
    ...managing,
    method: 'GET',
    path: '/members/{id}/second-step',
    summary: 'Whether the sign-in of a member asks for a code',
    params: idParams,
    success: 200,
    response: secondStepRecord,
    handler: ({ caller, params }) => members.secondStepOf(caller, params.id),
  });
}

function secondStepReset(members: ManageMembers): Route {
  return route({
    ...revoking,
    method: 'DELETE',
    path: '/members/{id}/second-step',
    summary: 'Turn the two-step sign-in of a member off',
    params: idParams,
    success: 204,
    handler: async ({ caller, params }) => {
      await members.resetSecondStep(caller, params.id);
      return undefined;
    },
  });
}
