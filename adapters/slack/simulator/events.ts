import type { EnvelopedEvent, types } from '@slack/bolt';
import {
  APP_ID,
  BOT_ID,
  BOT_USER,
  type SimulatedChannel,
  type SimulatedUser,
  type StoredMessage,
  TEAM_ID,
  type Workspace,
} from './workspace.js';

type SlackEvent = types.SlackEvent;
/** The type of one event in Slack's own packages. */
type EventOf<T extends SlackEvent['type']> = Extract<SlackEvent, { type: T }>;
type AnyMessage = EventOf<'message'>;
type MessageOf<S extends AnyMessage['subtype']> = Extract<AnyMessage, { subtype: S }>;
type Generic = MessageOf<undefined>;

/** Builds Events API payloads, typed by Slack's own packages. */
export class Events {
  readonly #workspace: Workspace;
  #count: number;

  constructor(workspace: Workspace, firstNumber = 1) {
    this.#workspace = workspace;
    this.#count = firstNumber - 1;
  }

  /** Builds the outer body of an event. All redeliveries of an event share its `event_id`. */
  wrap(event: SlackEvent): EnvelopedEvent<SlackEvent> {
    this.#count += 1;
    return {
      token: 'simulated-verification-token',
      team_id: TEAM_ID,
      api_app_id: APP_ID,
      event,
      type: 'event_callback',
      event_id: `Ev0SIM${String(this.#count).padStart(8, '0')}`,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: TEAM_ID,
          user_id: BOT_USER.id,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
    };
  }

  posted(message: StoredMessage): EnvelopedEvent<SlackEvent> {
    return this.wrap(this.#message(message));
  }

  /** An unfurled link is reported with a previous state that is equal to the current one. */
  changed(
    message: StoredMessage,
    previous: Pick<StoredMessage, 'text' | 'blocks'>,
  ): EnvelopedEvent<SlackEvent> {
    const ts = this.#workspace.tick();
    const event: MessageOf<'message_changed'> = {
      type: 'message',
      subtype: 'message_changed',
      hidden: true,
      channel: message.channel,
      channel_type: this.#typeOf(message.channel),
      ts,
      event_ts: ts,
      message: this.#message(message),
      previous_message: { ...this.#message(message), text: previous.text, blocks: previous.blocks as never },
    };
    return this.wrap(event);
  }

  deleted(message: StoredMessage): EnvelopedEvent<SlackEvent> {
    const ts = this.#workspace.tick();
    const event: MessageOf<'message_deleted'> = {
      type: 'message',
      subtype: 'message_deleted',
      hidden: true,
      channel: message.channel,
      channel_type: this.#typeOf(message.channel),
      ts,
      event_ts: ts,
      deleted_ts: message.ts,
      previous_message: this.#message(message),
    };
    return this.wrap(event);
  }

  reacted(message: StoredMessage, user: string, name: string, change: 'added' | 'removed') {
    const event = {
      type: `reaction_${change}`,
      user,
      reaction: name,
      item: { type: 'message', channel: message.channel, ts: message.ts },
      item_user: message.author.id,
      event_ts: this.#workspace.tick(),
    } as EventOf<'reaction_added'> | EventOf<'reaction_removed'>;
    return this.wrap(event);
  }

  member(channel: string, user: string, change: 'joined' | 'left'): EnvelopedEvent<SlackEvent> {
    const event = {
      type: `member_${change}_channel`,
      user,
      channel,
      channel_type: 'C',
      team: TEAM_ID,
      event_ts: this.#workspace.tick(),
    } as EventOf<'member_joined_channel'> | EventOf<'member_left_channel'>;
    return this.wrap(event);
  }

  renamed(id: string, name: string): EnvelopedEvent<SlackEvent> {
    const event: EventOf<'channel_rename'> = {
      type: 'channel_rename',
      channel: { id, name, name_normalized: name, created: 0, is_channel: true, is_mpim: false },
      event_ts: this.#workspace.tick(),
    };
    return this.wrap(event);
  }

  archived(channel: string, user: string): EnvelopedEvent<SlackEvent> {
    const event: EventOf<'channel_archive'> = {
      type: 'channel_archive',
      channel,
      user,
      event_ts: this.#workspace.tick(),
    };
    return this.wrap(event);
  }

  uninstalled(): EnvelopedEvent<SlackEvent> {
    const event: EventOf<'app_uninstalled'> = { type: 'app_uninstalled' };
    return this.wrap(event);
  }

  revoked(): EnvelopedEvent<SlackEvent> {
    const event: EventOf<'tokens_revoked'> = {
      type: 'tokens_revoked',
      tokens: { oauth: [], bot: [BOT_USER.id] },
    };
    return this.wrap(event);
  }

  #message(message: StoredMessage): Generic {
    const files = [...(message.files ?? [])].map(([id, { name, mimeType, bytes }]) => {
      return { id, name, title: name, mimetype: mimeType, size: bytes.length };
    });
    const shared = files.length === 0 ? {} : { subtype: 'file_share', files };
    return {
      type: 'message',
      subtype: undefined,
      user: message.author.id,
      ts: message.ts,
      event_ts: message.ts,
      text: message.text,
      team: TEAM_ID,
      channel: message.channel,
      channel_type: this.#typeOf(message.channel),
      ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
      ...(message.edited === undefined ? {} : { edited: { user: message.author.id, ts: message.edited } }),
      ...(message.author.bot ? botOf(message.author) : {}),
      ...(message.blocks === undefined ? {} : { blocks: message.blocks as never }),
      ...(message.attachments === undefined ? {} : { attachments: message.attachments as never }),
      ...(shared as object),
      ...(personaOf(message) as object),
    };
  }

  #typeOf(channel: string): SimulatedChannel['type'] {
    return this.#workspace.channel(channel)?.type ?? 'channel';
  }
}

/** Slack echoes a message of the app under another name as a `bot_message` without the bot user. */
function personaOf({ persona }: StoredMessage): object {
  if (persona === undefined) return {};
  const { username, icon_url } = persona;
  return { subtype: 'bot_message', user: undefined, username, app_id: APP_ID, icons: { image_48: icon_url } };
}

/** The app of a bot: the connected app for the bridge's bot user, otherwise an app of the bot's own. */
function botOf(author: SimulatedUser): Pick<Generic, 'bot_id' | 'bot_profile'> {
  const [bot_id, app_id] =
    author === BOT_USER ? [BOT_ID, APP_ID] : [`B${author.id.slice(1)}`, `A${author.id.slice(1)}`];
  const bot_profile = {
    ...{ id: bot_id, name: author.name, app_id, team_id: TEAM_ID },
    ...{ icons: {}, updated: 0, deleted: false },
  };
  return { bot_id, bot_profile };
}
