import { knownEmoji } from '../directory/emoji.js';
import { type Answer, type Arguments, failed, listed, type OpenAnswer } from './answers.js';
import type { Changes } from './chat.js';
import { BOT_USER, type StoredMessage, type Workspace } from './workspace.js';

/** Maximum number of different reactions of one person to one message (slack.com/help/articles/202931348). */
const MAX_PER_PERSON = 23;

/** Reactions of the app and of people. */
export class Reactions {
  /** Custom emoji of the workspace. */
  readonly custom = new Set(['party-parrot']);

  constructor(
    private readonly workspace: Workspace,
    private readonly changes: Pick<Changes, 'reacted'>,
  ) {}

  readonly methods: Readonly<Record<string, (args: Arguments) => Answer<object>>> = {
    'reactions.add': (args) => this.#change(args, 'added'),
    'reactions.remove': (args) => this.#change(args, 'removed'),
    'reactions.get': (args) => this.#get(args),
  };

  #change(
    { channel = '', timestamp = '', name = '' }: Arguments,
    change: 'added' | 'removed',
  ): Answer<object> {
    if (this.workspace.channel(channel) === undefined) return failed('channel_not_found');
    if (!/^\d+\.\d+$/.test(timestamp)) return failed('bad_timestamp');
    const message = this.workspace.find(channel, timestamp);
    if (message === undefined) return failed('message_not_found');
    if (knownEmoji(name) === undefined && !this.custom.has(name)) return failed('invalid_name');
    const refusal = this.apply(message, BOT_USER.id, name, change);
    return refusal === undefined ? { ok: true } : failed(refusal);
  }

  #get({ channel = '', timestamp = '' }: Arguments): OpenAnswer {
    const message = this.workspace.find(channel, timestamp);
    if (message === undefined) return failed('message_not_found');
    const reactions = [...message.reactions]
      .filter(([, users]) => users.size > 0)
      .map(([name, users]) => ({ name, users: [...users], count: users.size }));
    return { ok: true, type: 'message', channel, message: { ...listed(message, false), reactions } };
  }

  apply(
    message: StoredMessage,
    userId: string,
    name: string,
    change: 'added' | 'removed',
  ): string | undefined {
    const kept = keptName(message, name);
    const who = message.reactions.get(kept) ?? new Set<string>();
    if (change === 'removed') {
      if (!who.delete(userId)) return 'no_reaction';
    } else {
      if (who.has(userId)) return 'already_reacted';
      const own = [...message.reactions.values()].filter((users) => users.has(userId));
      if (own.length >= MAX_PER_PERSON) return 'too_many_reactions';
      who.add(userId);
    }
    message.reactions.set(kept, who);
    this.changes.reacted(message, userId, kept, change);
    return undefined;
  }
}

/** Two names of one emoji, such as `+1` and `thumbsup`, are one reaction. It keeps the name that was used first. */
function keptName({ reactions }: StoredMessage, name: string): string {
  const emoji = knownEmoji(name);
  if (emoji === undefined || reactions.has(name)) return name;
  return [...reactions.keys()].find((other) => knownEmoji(other) === emoji) ?? name;
}
