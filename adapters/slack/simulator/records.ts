import { BOT_USER, type SimulatedChannel, type SimulatedUser, TEAM_ID, type Workspace } from './workspace.js';

const CREATED = 1_700_000_000;
export const DOMAIN = 'simulated';

/** A person in Slack's format (docs.slack.dev/reference/objects/user-object). */
export function userRecord({ id, name, bot }: SimulatedUser) {
  const handle = name.toLowerCase().replaceAll(' ', '.');
  return {
    id,
    team_id: TEAM_ID,
    name: handle,
    deleted: false,
    color: '9f69e7',
    real_name: name,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    profile: {
      real_name: name,
      real_name_normalized: name,
      display_name: name,
      display_name_normalized: name,
      first_name: name.split(' ')[0] ?? name,
      avatar_hash: 'simulated',
      status_text: '',
      status_emoji: '',
      team: TEAM_ID,
    },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: bot,
    is_app_user: false,
    updated: CREATED,
  };
}

/** A conversation in Slack's format (docs.slack.dev/reference/objects/conversation-object). */
export function channelRecord(channel: SimulatedChannel, workspace: Workspace) {
  const { id, name, type, archived, member } = channel;
  const common = {
    id,
    created: CREATED,
    is_archived: archived,
    is_org_shared: false,
    context_team_id: TEAM_ID,
    updated: CREATED,
  };
  if (type === 'im')
    return { ...common, is_im: true, user: partnerIn(channel), is_user_deleted: false, priority: 0 };
  const text = { value: '', creator: '', last_set: 0 };
  return {
    ...common,
    name,
    name_normalized: name,
    is_channel: type === 'channel',
    is_group: type === 'group',
    is_im: false,
    is_mpim: type === 'mpim',
    is_private: type !== 'channel',
    is_general: name === 'general',
    is_member: member,
    is_shared: false,
    is_ext_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    unlinked: 0,
    creator: BOT_USER.id,
    topic: text,
    purpose: text,
    previous_names: [],
    num_members: membersOf(channel, workspace).length,
  };
}

const partnerIn = ({ id }: SimulatedChannel): string => `U${id.slice(1)}`;

/** A direct chat has two members. Every other channel has all users of the workspace. */
export function membersOf(channel: SimulatedChannel, workspace: Workspace): readonly string[] {
  if (channel.type === 'im') return [partnerIn(channel), BOT_USER.id];
  return workspace
    .users()
    .map(({ id }) => id)
    .filter((id) => channel.member || id !== BOT_USER.id);
}
