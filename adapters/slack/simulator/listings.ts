import { type Arguments, failed, type OpenAnswer } from './answers.js';
import { pageOf } from './paging.js';
import { channelRecord, DOMAIN, membersOf, userRecord } from './records.js';
import { APP_ID, BOT_ID, BOT_USER, type SimulatedChannel, TEAM_ID, type Workspace } from './workspace.js';

const TYPES: Readonly<Record<string, SimulatedChannel['type']>> = {
  public_channel: 'channel',
  private_channel: 'group',
  im: 'im',
  mpim: 'mpim',
};

/** Methods that list the entities of the workspace. */
export class Listings {
  constructor(private readonly workspace: Workspace) {}

  readonly methods: Readonly<Record<string, (args: Arguments) => OpenAnswer>> = {
    'users.list': (args) => this.#users(args),
    'conversations.list': (args) => this.#conversations(args),
    'users.conversations': (args) => this.#conversations(args, true),
    'conversations.members': (args) => this.#members(args),
    'conversations.join': (args) => this.#join(args),
    'usergroups.list': () => ({ ok: true, usergroups: this.#groups() }),
    'team.info': () => ({ ok: true, team: team() }),
    'bots.info': (args) => this.#bot(args),
  };

  #users(args: Arguments): OpenAnswer {
    const all = this.workspace.users().map(userRecord);
    const page = pageOf(all, args, { key: ({ id }) => id, maxLimit: 1_000, usual: 1_000 });
    if (!page.ok) return page;
    const { items: members, response_metadata } = page;
    return { ok: true, members, cache_ts: Math.floor(Date.now() / 1000), response_metadata };
  }

  #conversations(args: Arguments, joined = false): OpenAnswer {
    const names = (args.types || 'public_channel').split(',').map((name) => name.trim());
    const types = names.map((name) => TYPES[name]);
    if (types.includes(undefined)) return failed('invalid_types');
    const all = this.workspace
      .channels()
      .filter(({ type }) => types.includes(type))
      .filter(({ archived }) => !archived || args.exclude_archived !== 'true')
      .filter(({ member }) => member || !joined)
      .map((channel) => channelRecord(channel, this.workspace));
    const page = pageOf(all, args, { key: ({ id }) => id, maxLimit: 1_000, usual: 100 });
    if (!page.ok) return page;
    return { ok: true, channels: page.items, response_metadata: page.response_metadata };
  }

  #members(args: Arguments): OpenAnswer {
    const channel = this.workspace.channel(args.channel ?? '');
    if (channel === undefined) return failed('channel_not_found');
    const all = membersOf(channel, this.workspace);
    const page = pageOf(all, args, { key: (id) => id, maxLimit: 1_000, usual: 100 });
    if (!page.ok) return page;
    return { ok: true, members: page.items, response_metadata: page.response_metadata };
  }

  #join({ channel: id = '' }: Arguments): OpenAnswer {
    const channel = this.workspace.channel(id);
    if (channel === undefined) return failed('channel_not_found');
    if (channel.archived) return failed('is_archived');
    if (channel.type !== 'channel') return failed('method_not_supported_for_channel_type');
    channel.member = true;
    return { ok: true, channel: channelRecord(channel, this.workspace) };
  }

  #groups(): readonly object[] {
    return [...this.workspace.userGroups].map(([id, handle]) => ({
      id,
      team_id: TEAM_ID,
      is_usergroup: true,
      name: handle,
      handle,
      description: '',
      is_external: false,
      date_create: 0,
      date_update: 0,
      date_delete: 0,
    }));
  }

  #bot({ bot = '' }: Arguments): OpenAnswer {
    if (bot === BOT_ID) return { ok: true, bot: botRecord(BOT_ID, BOT_USER.name, APP_ID, BOT_USER.id) };
    const user = this.workspace.user(`U${bot.slice(1)}`);
    if (user === undefined || !user.bot) return failed('bot_not_found');
    return { ok: true, bot: botRecord(bot, user.name, `A${bot.slice(1)}`, user.id) };
  }
}

const botRecord = (id: string, name: string, app_id: string, user_id: string) => ({
  ...{ id, deleted: false, name, updated: 0, app_id, user_id },
  icons: { image_36: '', image_48: '', image_72: '' },
});

const team = () => ({
  id: TEAM_ID,
  name: 'Simulated',
  domain: DOMAIN,
  url: `https://${DOMAIN}.slack.com/`,
  email_domain: '',
  icon: { image_default: true },
});
