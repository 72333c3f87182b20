import { type ReactNode, useMemo } from 'react';
import { usePeople } from '../../api/people';
import { dayName, dayOf } from '../../i18n/time';
import { MessageItem } from './message-item';
import type { Message } from './message-pages';
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
  const people = usePeople(messages.map(({ sender_id }) => sender_id));
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
      const item = <MessageItem message={message} senderName={sender?.display_name} repliedTo={repliedTo} />;
      rows.push({ key: message.id, isMessage: true, content: item });
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

function Day({ at }: { readonly at: string }) {
  return (
    <p className="px-4 pt-4 pb-1 text-center text-muted text-xs">
      <time dateTime={at}>{dayName(at)}</time>
    </p>
  );
}
