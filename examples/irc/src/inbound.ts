import {
  type Envelope,
  type InboundEvent,
  type JsonObject,
  plainContent,
  remoteChatId,
  remoteMessageId,
  remoteUserId,
} from 'trunkline';
import { z } from 'zod';
import { isChannel, lowerCase } from './names.js';

/** A line from the server with the data to decode it later. */
const payload = z.object({
  kind: z.enum(['privmsg', 'action']),
  id: z.string(),
  nick: z.string().min(1),
  target: z.string().min(1),
  text: z.string(),
  at: z.iso.datetime(),
  own: z.string(),
});
export type IrcLine = z.infer<typeof payload>;

const gap = z.object({ kind: z.literal('gap'), since: z.iso.datetime() });

/** Servers send each line once, so its increasing number identifies it. */
export function lineEnvelope(line: IrcLine): Envelope {
  return {
    dedupeKey: line.id,
    lane: chatOf(line),
    payload: line satisfies JsonObject,
  };
}

/** Messages sent while the bridge was disconnected are lost, because IRC servers store none. */
export function gapEnvelope(since: string): Envelope {
  return { dedupeKey: `gap.${since}`, lane: 'account', payload: { kind: 'gap', since } };
}

export function decode({ payload: stored }: Envelope): readonly InboundEvent[] {
  const missed = gap.safeParse(stored);
  if (missed.success) {
    return [{ type: 'gap', since: missed.data.since, reason: 'The connection was interrupted.' }];
  }
  const parsed = payload.safeParse(stored);
  if (!parsed.success) return [{ type: 'unsupported', what: 'line' }];
  const line = parsed.data;
  const text = plainText(line.kind === 'action' ? `${line.nick} ${line.text}` : line.text);
  if (text === '') return [{ type: 'unsupported', what: 'empty' }];
  const inChannel = isChannel(line.target);
  const isOwn = lowerCase(line.nick) === lowerCase(line.own);
  return [
    {
      type: 'message',
      chat: {
        id: remoteChatId(chatOf(line)),
        kind: inChannel ? 'group' : 'direct',
        title: inChannel ? line.target : line.nick,
      },
      at: line.at,
      ...(isOwn ? { echo: true } : {}),
      messageId: remoteMessageId(line.id),
      sender: { id: remoteUserId(lowerCase(line.nick)), handle: line.nick },
      content: plainContent(text),
    },
  ];
}

function chatOf({ target, nick }: Pick<IrcLine, 'target' | 'nick'>): string {
  return lowerCase(isChannel(target) ? target : nick);
}

/** Removes colors and styles (https://modern.ircdocs.horse/formatting). */
function plainText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are encoded with control characters.
      .replace(/\x03(\d{1,2}(,\d{1,2})?)?|\x04([\da-fA-F]{6}(,[\da-fA-F]{6})?)?/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are single control characters.
      .replace(/[\x00-\x1f\x7f]/g, '')
      .trim()
  );
}
