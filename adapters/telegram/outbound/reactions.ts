/**
 * The reactions that a bot can set, unless a chat allows fewer of them
 * (https://core.telegram.org/bots/api#reactiontypeemoji). Telegram knows each in exactly this form.
 */
export const reactions = [
  ...[
    '👍',
    '👎',
    '❤',
    '🔥',
    '🥰',
    '👏',
    '😁',
    '🤔',
    '🤯',
    '😱',
    '🤬',
    '😢',
    '🎉',
    '🤩',
    '🤮',
    '💩',
    '🙏',
    '👌',
  ],
  ...[
    '🕊',
    '🤡',
    '🥱',
    '🥴',
    '😍',
    '🐳',
    '❤‍🔥',
    '🌚',
    '🌭',
    '💯',
    '🤣',
    '⚡',
    '🍌',
    '🏆',
    '💔',
    '🤨',
    '😐',
    '🍓',
  ],
  ...[
    '🍾',
    '💋',
    '🖕',
    '😈',
    '😴',
    '😭',
    '🤓',
    '👻',
    '👨‍💻',
    '👀',
    '🎃',
    '🙈',
    '😇',
    '😨',
    '🤝',
    '✍',
    '🤗',
    '🫡',
  ],
  ...[
    '🎅',
    '🎄',
    '☃',
    '💅',
    '🤪',
    '🗿',
    '🆒',
    '💘',
    '🙉',
    '🦄',
    '😘',
    '💊',
    '🙊',
    '😎',
    '👾',
    '🤷‍♂',
    '🤷',
    '🤷‍♀',
    '😡',
  ],
] as const;

export type Reaction = (typeof reactions)[number];

/**
 * The form of an emoji that Telegram accepts, ignoring variation selectors. Undefined if Telegram does not accept the
 * emoji.
 */
export function reactionOf(emoji: string): Reaction | undefined {
  const bare = emoji.replaceAll('\uFE0F', '');
  return reactions.find((reaction) => reaction === bare);
}
