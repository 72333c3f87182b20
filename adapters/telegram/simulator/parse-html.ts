import type { MessageEntity } from 'grammy/types';
import type { FormattedText } from './entities.js';
import { byteOffset, ParseError, sorted } from './parse-error.js';

interface OpenTag {
  readonly name: string;
  readonly offset: number;
  readonly entity: object;
}

const simple: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  code: 'code',
  pre: 'pre',
};

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** https://core.telegram.org/bots/api#html-style */
export function parseHtml(source: string): FormattedText {
  let text = '';
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  for (let at = 0; at < source.length; ) {
    if (source[at] !== '<') {
      const next = character(source, at);
      text += next.text;
      at = next.end;
      continue;
    }
    const end = source.indexOf('>', at);
    if (source[at + 1] === '/') {
      if (end < 0) throw new ParseError(`Unclosed end tag at byte offset ${byteOffset(source, at)}`);
      const tag = closed(
        open,
        source
          .slice(at + 2, end)
          .trim()
          .toLowerCase(),
        byteOffset(source, at),
      );
      const length = text.length - tag.offset;
      entities.push({ ...tag.entity, offset: tag.offset, length } as MessageEntity);
    } else {
      if (end < 0) throw new ParseError(`Unclosed start tag at byte offset ${byteOffset(source, at)}`);
      open.push({ ...opened(source.slice(at + 1, end), byteOffset(source, at)), offset: text.length });
    }
    at = end + 1;
  }
  const [last] = open.slice(-1);
  if (last !== undefined)
    throw new ParseError(`Can't find end tag corresponding to start tag "${last.name}"`);
  return { text, entities: sorted(withLanguages(entities)) };
}

function character(source: string, at: number): { text: string; end: number } {
  const found = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot));/i.exec(source.slice(at, at + 12));
  if (found === null) return { text: source[at] ?? '', end: at + 1 };
  const [whole, decimal, hexadecimal, name = ''] = found;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const named = characters[name.toLowerCase()];
  const text = named ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole);
  return { text, end: at + whole.length };
}

function closed(open: OpenTag[], name: string, at: number): OpenTag {
  const tag = open.pop();
  if (tag === undefined) throw new ParseError(`Unexpected end tag at byte offset ${at}`);
  if (name !== '' && name !== tag.name)
    throw new ParseError(
      `Unmatched end tag at byte offset ${at}, expected "</${tag.name}>", found "</${name}>"`,
    );
  return tag;
}

function opened(inside: string, at: number): Omit<OpenTag, 'offset'> {
  const name = (/^[^\s>]*/.exec(inside)?.[0] ?? '').toLowerCase();
  const attributes = new Map(
    [...inside.matchAll(/\s([a-z-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gi)].map(
      ([, key = '', quoted, single, bare]) => [key.toLowerCase(), quoted ?? single ?? bare ?? ''],
    ),
  );
  const attribute = (wanted: string) => attributes.get(wanted);
  const type = Object.hasOwn(simple, name) ? simple[name] : undefined;
  const language = /^language-(.+)$/.exec(attribute('class') ?? '')?.[1];
  if (type === 'code' && language !== undefined) return { name, entity: { type, language } };
  if (type !== undefined) return { name, entity: { type } };
  if (name === 'a') return { name, entity: linkTo(attribute('href') ?? '') };
  if (name === 'blockquote')
    return { name, entity: { type: /\sexpandable/i.test(inside) ? 'expandable_blockquote' : 'blockquote' } };
  if (name === 'tg-emoji')
    return { name, entity: { type: 'custom_emoji', custom_emoji_id: attribute('emoji-id') } };
  if (name === 'span' && attribute('class') === 'tg-spoiler') return { name, entity: { type: 'spoiler' } };
  if (name === 'span') throw new ParseError(`Tag "span" must have class "tg-spoiler" at byte offset ${at}`);
  throw new ParseError(`Unsupported start tag "${name}" at byte offset ${at}`);
}

/** https://core.telegram.org/bots/api#formatting-options: links to accounts are mentions. */
export function linkTo(url: string): object {
  const user = /^tg:\/\/user\?id=(\d{1,16})$/.exec(url)?.[1];
  if (user === undefined) return { type: 'text_link', url };
  return { type: 'text_mention', user: { id: Number(user), is_bot: false, first_name: '' } };
}

/** A tag around the whole code block names its language. */
function withLanguages(entities: readonly MessageEntity[]): MessageEntity[] {
  const covers = (a: MessageEntity, b: MessageEntity) => a.offset === b.offset && a.length === b.length;
  const blocks = entities.filter(({ type }) => type === 'pre');
  return entities.flatMap((entity) => {
    const { language, ...bare } = entity as MessageEntity & { language?: string };
    if (entity.type === 'code')
      return blocks.some((block) => covers(block, entity)) ? [] : [bare as MessageEntity];
    if (entity.type !== 'pre') return [entity];
    const inner = entities.find((one) => one.type === 'code' && covers(one, entity) && 'language' in one);
    return inner === undefined
      ? [entity]
      : [{ ...entity, language: (inner as { language?: string }).language } as MessageEntity];
  });
}
