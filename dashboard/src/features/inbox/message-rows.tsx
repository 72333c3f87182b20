import { type ReactNode, useMemo } from 'react';
import { useLoadedPeople } from '../../api/people';
import { dayName, dayOf } from '../../i18n/time';
import { MessageItem } from './message-item';
import type { Message } from './message-pages';
import { messages as t } from './messages';
import { OutgoingItem } from './outgoing-item';
import { keyOf, useOutgoing } from './sending';

export interface Row {
  readonly key: string;
  /** Whether the arrow keys can select it. */
  readonly isMessage: boolean;
  readonly content: ReactNode;
}

/** Day separators and messages, followed by unsent messages. */
export function useRows(
  conversationId: string,
  messages: readonly Message[],
  hasNewer: boolean,
): readonly Row[] {
  const outgoing = useOutgoing(conversationId);
  const people = useLoadedPeople(messages.map(({ sender_id }) => sender_id));
  return useMemo(() => {
    const byId = new Map(messages.map((message) => [message.id, message]));
    const rows: Row[] = [];
    let previous: Message | undefined;
    for (const message of messages) {
      const isNewDay = previous === undefined || dayOf(previous.created_at) !== dayOf(message.created_at);
      if (isNewDay) {
        const key = `day ${dayOf(message.created_at)}`;
        rows.push({ key, isMessage: false, content: <Day at={message.created_at} /> });
      }
      const sender = people.get(message.sender_id);
      const repliedTo = message.reply_to_id === null ? undefined : byId.get(message.reply_to_id);
      const content = (
        <MessageItem
          message={message}
          senderName={sender === null ? t('formerPerson') : (sender?.display_name ?? '')}
          repliedTo={repliedTo}
          isContinued={!isNewDay && isContinued(previous, message)}
        />
      );
      rows.push({ key: message.id, isMessage: true, content });
      previous = message;
    }
    if (hasNewer) return rows;
    const arrived = new Set(messages.map(keyOf));
    const waiting = outgoing.filter(({ key }) => !arrived.has(key));
    for (const each of waiting)
      rows.push({ key: each.key, isMessage: true, content: <OutgoingItem message={each} /> });
    return rows;
  }, [messages, outgoing, people, hasNewer]);
}

/** Longer than a person needs for the next sentence. */
const PAUSE_MS = 300_000;

/** Whether a message follows soon on one of the same sender, to the same people. */
function isContinued(previous: Message | undefined, message: Message): boolean {
  if (previous === undefined) return false;
  const isSame = (['sender_id', 'direction', 'platform'] as const).every(
    (each) => previous[each] === message[each],
  );
  return isSame && Date.parse(message.created_at) - Date.parse(previous.created_at) < PAUSE_MS;
}

function Day({ at }: { readonly at: string }) {
  return (
    <p className="flex items-center gap-3 px-4 pt-4 pb-1 text-muted text-xs before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      <time dateTime={at}>{dayName(at)}</time>
    </p>
  );
}
