import type { JsonObject } from '../../../src/contract/index.js';
import type { SimulatedPost } from '../../../src/contract/simulation/index.js';
import { slackName } from '../directory/emoji.js';
import { buttonsIn, composed } from './blocks.js';
import type { Events } from './events.js';
import type { Files } from './files.js';
import type { Reactions } from './reactions.js';
import type { Views } from './views.js';
import { type StoredMessage, typed, type Workspace } from './workspace.js';

export interface Sending {
  /** Delivers a body of the Events API. */
  event(lane: string, body: object): void;
  /** Delivers a command or an interaction. */
  act(lane: string, type: 'slash_commands' | 'interactive', body: JsonObject): void;
}

/** Actions of people in the simulated workspace. */
export class People {
  constructor(
    private readonly workspace: Workspace,
    private readonly events: Events,
    private readonly files: Files,
    private readonly reactions: Reactions,
    private readonly views: Views,
    private readonly sending: Sending,
  ) {}

  post({ chatId, sender, text, replyToId, files = [], bot }: SimulatedPost): string {
    const blocks = composed(text);
    const message = this.workspace.add({
      channel: chatId,
      author: this.workspace.person(sender, bot),
      text: typed(text),
      ...(blocks.length === 0 ? {} : { blocks }),
      ...(files.length === 0 ? {} : { files: new Map(files.map((file) => [this.files.add(file), file])) }),
      ...(replyToId === undefined ? {} : { threadTs: this.#rootOf(chatId, replyToId) }),
    });
    this.sending.event(chatId, this.events.posted(message));
    return message.ts;
  }

  edit(chatId: string, messageId: string, text: string): void {
    const message = this.#found(chatId, messageId);
    const previous = {
      text: message.text,
      ...(message.blocks === undefined ? {} : { blocks: message.blocks }),
    };
    message.text = typed(text);
    message.blocks = composed(text);
    message.edited = this.workspace.tick();
    this.sending.event(chatId, this.events.changed(message, previous));
  }

  remove(chatId: string, messageId: string): void {
    const message = this.#found(chatId, messageId);
    message.deleted = true;
    this.sending.event(chatId, this.events.deleted(message));
  }

  /** Unfurls a link of the message. Slack reports a changed message with the same text. */
  unfurl(chatId: string, messageId: string): void {
    const message = this.#found(chatId, messageId);
    this.sending.event(chatId, this.events.changed(message, message));
  }

  /** `emoji` is a Unicode emoji or the `:name:` of a custom emoji of the workspace. */
  react(
    chatId: string,
    messageId: string,
    sender: string,
    emoji: string,
    change: 'added' | 'removed' = 'added',
  ): void {
    const name = slackName(emoji) ?? emoji;
    this.reactions.apply(this.#found(chatId, messageId), this.workspace.person(sender).id, name, change);
  }

  /** Uses a slash command. Slack creates no message for it. */
  command(chatId: string, sender: string, command: string, text = ''): void {
    const { id, name } = this.workspace.person(sender);
    this.sending.act(chatId, 'slash_commands', {
      ...this.#common(),
      command,
      text,
      user_id: id,
      user_name: name.toLowerCase(),
      channel_id: chatId,
      channel_name: this.#nameOf(chatId),
    });
  }

  /** Presses the button with this label in a message. */
  press(chatId: string, messageId: string, sender: string, label: string): void {
    const { blocks = [] } = this.workspace.find(chatId, messageId) ?? {};
    const button = buttonsIn(blocks).find((one) => one.label === label);
    const { id, name } = this.workspace.person(sender);
    this.sending.act(chatId, 'interactive', {
      ...this.#common(),
      type: 'block_actions',
      user: { id, username: name.toLowerCase(), name: name.toLowerCase() },
      channel: { id: chatId, name: this.#nameOf(chatId) },
      container: { type: 'message', message_ts: messageId, channel_id: chatId },
      actions: [
        {
          type: 'button',
          action_id: button?.actionId ?? 'a1',
          block_id: 'b1',
          text: { type: 'plain_text', text: label },
          ...(button?.value === undefined ? {} : { value: button.value }),
        },
      ],
    });
  }

  /** Fills in and submits a modal of the app. `values` are keyed by block and action, as in `view.state`. */
  submit(viewId: string, sender: string, values: JsonObject = {}): void {
    const view = this.views.get(viewId);
    if (view === undefined) throw new Error('There is no such view.');
    const { id, name } = this.workspace.person(sender);
    this.sending.act('', 'interactive', {
      ...this.#common(),
      type: 'view_submission',
      user: { id, username: name.toLowerCase(), name: name.toLowerCase() },
      view: { ...view, state: { values } },
    });
  }

  join(chatId: string, sender: string): void {
    this.sending.event(chatId, this.events.member(chatId, this.workspace.person(sender).id, 'joined'));
  }

  leave(chatId: string, sender: string): void {
    this.sending.event(chatId, this.events.member(chatId, this.workspace.person(sender).id, 'left'));
  }

  rename(chatId: string, name: string): void {
    this.sending.event(chatId, this.events.renamed(chatId, name));
  }

  archive(chatId: string): void {
    const channel = this.workspace.channel(chatId);
    if (channel !== undefined) channel.archived = true;
    this.sending.event(chatId, this.events.archived(chatId, this.workspace.person('Admin').id));
  }

  #common(): JsonObject {
    return {
      token: 'simulated-verification-token',
      team_id: 'T0SIMTEAM',
      api_app_id: 'A0SIMBRIDGE',
      trigger_id: this.views.trigger(),
      response_url: 'https://hooks.slack.com/commands/simulated',
    };
  }

  #nameOf(chatId: string): string {
    const channel = this.workspace.channel(chatId);
    if (channel?.type === 'im') return 'directmessage';
    return channel?.type === 'group' ? 'privategroup' : (channel?.name ?? '');
  }

  #found(chatId: string, messageId: string): StoredMessage {
    const message = this.workspace.find(chatId, messageId);
    if (message === undefined) throw new Error('There is no such message.');
    return message;
  }

  #rootOf(chatId: string, ts: string): string {
    return this.workspace.find(chatId, ts)?.threadTs ?? ts;
  }
}
