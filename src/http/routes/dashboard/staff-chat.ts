import { type ManageStaffChat, staffChatBody, staffChatRecord } from '../../../core/workspaces/staff-chat.js';
import { type Route, route } from '../../route.js';
import { managing } from './common.js';

/** The chat that receives the alerts of the workspace. */
export function staffChatRoutes(chat: ManageStaffChat): Route[] {
  return [
    route({
      ...managing,
      method: 'GET',
      path: '/workspace/staff-chat',
      summary: 'Get the conversation that gets alerts',
      success: 200,
      response: staffChatRecord,
      handler: ({ caller }) => chat.get(caller),
    }),
    route({
      ...managing,
      method: 'PUT',
      path: '/workspace/staff-chat',
      summary: 'Choose the conversation that gets alerts',
      body: staffChatBody,
      success: 200,
      response: staffChatRecord,
      handler: ({ caller, body }) => chat.set(caller, body),
    }),
  ];
}
