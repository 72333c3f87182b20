import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { patchQueries, refresh } from '../../api/refresh';
import type { Message, MessagePage } from './message-pages';

export type Delivery = Schemas['Delivery'];

export type MessagePages = InfiniteData<MessagePage>;

const STEPS = /^message\.(updated|sent|delivered|read|failed|rerouted)$/;

/** Keeps the messages of opened conversations current. */
export function patchMessages({ name, data }: ServiceEvent, queries: QueryClient): void {
  const conversationId = String(data.conversation_id);
  const key = ['messages', conversationId];
  const change = (patch: (pages: MessagePages) => MessagePages) =>
    changeMessages(queries, conversationId, patch);
  if (data.truncated === true) refresh(queries, key);
  else if (name === 'message.created' || STEPS.test(name))
    change((pages) => withMessage(pages, data as unknown as Message));
  else if (name === 'message.deleted') change((pages) => withoutMessage(pages, data.id));
  else if (name.startsWith('delivery.')) change((pages) => withDelivery(pages, data as unknown as Delivery));
  else if (name.startsWith('reaction.')) refresh(queries, key);
}

/** Changes the cached messages of a conversation: the list from the newest message, and the lists around jump targets. */
export function changeMessages(
  queries: QueryClient,
  conversationId: string,
  patch: (pages: MessagePages) => MessagePages,
): void {
  patchQueries(queries, ['messages', conversationId], patch);
}

/** Adds a new message at the front. Replaces a known message unless the cached version is newer. */
export function withMessage(pages: MessagePages, message: Message): MessagePages {
  const isKnown = pages.pages.some(({ data }) => data.some(({ id }) => id === message.id));
  if (isKnown) {
    return mapMessages(pages, message.id, (old) =>
      old.updated_at > message.updated_at ? old : { ...message, deliveries: latestDeliveries(old, message) },
    );
  }
  const [first, ...others] = pages.pages;
  const oldest = others.at(-1)?.data.at(-1) ?? first?.data.at(-1);
  // Newer pages are not loaded yet. Loading them will include this message.
  if (first === undefined || first.newer !== null) return pages;
  // The event concerns a message older than the loaded ones.
  if (oldest !== undefined && message.created_at < oldest.created_at) return pages;
  const data = [message, ...first.data].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return { ...pages, pages: [{ ...first, data }, ...others] };
}

export function withoutMessage(pages: MessagePages, id: unknown): MessagePages {
  return mapMessages(pages, id, () => undefined);
}

export function withDelivery(pages: MessagePages, delivery: Delivery): MessagePages {
  return mapMessages(pages, delivery.message_id, (message) => {
    const known = message.deliveries.find(({ id }) => id === delivery.id);
    if (known !== undefined && known.updated_at > delivery.updated_at) return message;
    const others = message.deliveries.filter(({ id }) => id !== delivery.id);
    const deliveries = [...others, delivery].sort((a, b) => (a.id < b.id ? -1 : 1));
    return { ...message, deliveries };
  });
}

/**
 * The deliveries of a message, each in its newest known state. A delivery can end before the response arrives that created its
 * message, and does not change the time of the message.
 */
function latestDeliveries(old: Message, message: Message): Message['deliveries'] {
  return message.deliveries.map((delivery) => {
    const known = old.deliveries.find(({ id }) => id === delivery.id);
    return known !== undefined && known.updated_at > delivery.updated_at ? known : delivery;
  });
}

function mapMessages(
  pages: MessagePages,
  id: unknown,
  change: (message: Message) => Message | undefined,
): MessagePages {
  const changeOne = (message: Message) => (message.id === id ? (change(message) ?? []) : message);
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, data: page.data.flatMap(changeOne) })) };
}
