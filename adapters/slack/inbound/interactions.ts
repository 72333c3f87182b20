import { createHash } from 'node:crypto';
import {
  type InboundEvent,
  type RemoteMessageId,
  type RemoteUser,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { chosenIn } from './choices.js';
import type { EventContext } from './event-context.js';
import { namesIn } from './message-content.js';
import type { Actions, Command } from './payloads.js';
import { chatOf, userOf } from './people.js';

/** Commands and button presses are not messages on Slack. Their message id is derived from the deduplication key. */
function ownId(kind: 'command' | 'action', dedupeKey: string): RemoteMessageId {
  return remoteMessageId(`${kind}-${createHash('sha256').update(dedupeKey).digest('hex').slice(0, 32)}`);
}

/** Decodes a slash command as the typed text. */
export function decodeCommand(
  command: Command,
  eventContext: EventContext,
  dedupeKey: string,
): InboundEvent | undefined {
  const at = eventContext.receivedAt;
  if (at === undefined) return undefined;
  const { channel_id: channel, channel_name: name } = command;
  const words = [command.command, command.text ?? ''].filter((part) => part !== '').join(' ');
  return {
    type: 'message',
    chat: chatOf({ channel, channel_type: kindNamed(channel, name) }, eventContext),
    at,
    messageId: ownId('command', dedupeKey),
    sender: userOf(command.user_id, eventContext, command.user_name),
    content: { text: words, spans: [], attachments: [] },
  };
}

/** Decodes a button press or a menu selection as a reply to its message, in the thread of that message. */
export function decodeActions(
  { user, channel, container, message, actions }: Actions,
  eventContext: EventContext,
  dedupeKey: string,
): InboundEvent | undefined {
  const at = eventContext.receivedAt;
  const [action] = actions;
  if (at === undefined || action === undefined) return undefined;
  const { text, spans } = chosenIn(action, namesIn(eventContext));
  if (text === '') return undefined;
  const ts = container?.message_ts ?? message?.ts;
  const thread = container?.thread_ts ?? message?.thread_ts;
  const sender: RemoteUser = userOf(user.id, eventContext, user.username ?? user.name);
  return {
    type: 'message',
    chat: {
      ...chatOf({ channel: channel.id, channel_type: kindNamed(channel.id, channel.name) }, eventContext),
      ...(thread === undefined || thread === ts ? {} : { threadId: remoteThreadId(thread) }),
    },
    at,
    messageId: ownId('action', dedupeKey),
    sender,
    content: { text, spans, attachments: [] },
    ...(action.type === 'button' && action.value ? { press: action.value } : {}),
    ...(ts === undefined ? {} : { replyToId: remoteMessageId(ts) }),
  };
}

/** These payloads show the kind of a channel only by its name. */
function kindNamed(id: string, name: string | undefined): string | undefined {
  if (name === 'directmessage') return 'im';
  if (name === 'privategroup' || name?.startsWith('mpdm-')) return 'group';
  return id.startsWith('D') ? 'im' : undefined;
}
