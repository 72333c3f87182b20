import type { MessageEntity } from 'grammy/types';

type Detected = Extract<MessageEntity['type'], 'url' | 'bot_command' | 'mention' | 'hashtag'>;

/** Entities that Telegram detects in a text that a person writes (https://core.telegram.org/bots/api#messageentity). */
const forms: readonly (readonly [Detected, RegExp])[] = [
  ['url', /https?:\/\/[^\s<>"]{1,2048}/g],
  ['bot_command', /(?<![\w/])\/\w{1,32}(?:@\w{3,32})?/g],
  ['mention', /(?<![\w@])@\w{3,32}/g],
  ['hashtag', /(?<![\p{L}\p{N}_#])#[\p{L}\p{N}_]{1,256}/gu],
];

/** The entities of a text as a person writes it. Bots recognise their commands by them. */
export function detectedEntities(text: string): MessageEntity[] {
  const found = forms.flatMap(([type, form]) =>
    [...text.matchAll(form)].map(({ index, 0: { length } }) => ({ type, offset: index, length })),
  );
  const addresses = found.filter(({ type }) => type === 'url');
  const within = (offset: number) =>
    addresses.some((url) => offset > url.offset && offset < url.offset + url.length);
  return found.filter(({ offset }) => !within(offset)).sort((a, b) => a.offset - b.offset);
}
