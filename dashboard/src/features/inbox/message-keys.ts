import type { FocusEvent } from 'react';
import { usePermissions } from '../../api/session';
import { isScheduled, useSendNow } from './composer/send-now';
import { canRetry, isUncertain, useResolveDelivery, useRetryDelivery } from './delivery-changes';
import { type Opened, useMessageActions } from './message-actions';
import type { Message } from './message-pages';
import type { OutgoingMessage } from './outbox';
import { useOutbox } from './sending';
import { useShortcuts } from './shortcuts';

interface MessageKeysProps {
  readonly message: Message;
  readonly name: string;
  readonly onOpen: (what: Opened) => void;
}

type Keys = Readonly<Record<string, () => void>>;

/** The shortcuts of the focused message. */
export function MessageKeys({ message, name, onOpen }: MessageKeysProps) {
  const { emoji, react, reply, edit, remove, copy, trace } = useMessageActions(message, name, onOpen);
  const deliveries = useDeliveryKeys(message);
  useShortcuts({
    ...deliveries,
    ...Object.fromEntries(emoji.map((each, index) => [String(index + 1), () => react.run(each)])),
    ...(reply && { q: reply.run }),
    ...(edit && { m: edit.run }),
    ...(copy && { c: copy.run }),
    ...(remove && { Delete: remove.run, Backspace: remove.run }),
    h: trace.run,
    Escape: leave,
  });
  return null;
}

/** The shortcuts of a message that the service rejected. A message in progress has only Escape. */
export function OutgoingKeys({ message }: { readonly message: OutgoingMessage }) {
  const outbox = useOutbox();
  const discard = () => {
    leave();
    outbox.discard(message.key);
  };
  useShortcuts({
    ...(message.problem !== undefined && {
      t: () => void outbox.retry(message),
      Delete: discard,
      Backspace: discard,
    }),
    Escape: leave,
  });
  return null;
}

/** Whether the focus stays inside the message. */
export const isWithin = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  relatedTarget instanceof Node && currentTarget.contains(relatedTarget);

/** With two uncertain deliveries a shortcut is ambiguous, so it moves the focus to the buttons. */
function useDeliveryKeys(message: Message): Keys {
  const { canWrite } = usePermissions();
  const retry = useRetryDelivery();
  const resolve = useResolveDelivery();
  const sendNow = useSendNow(message);
  if (!canWrite) return {};
  const failed = message.deliveries.filter(canRetry);
  const [uncertain, another] = message.deliveries.filter(isUncertain);
  const decide = (outcome: 'sent' | 'failed') => () => {
    if (another !== undefined) chosen()?.querySelector<HTMLElement>('[data-uncertain]')?.focus();
    else if (uncertain !== undefined && !resolve.isPending) resolve.mutate({ id: uncertain.id, outcome });
  };
  return {
    ...(failed.length > 0 && {
      t: () => {
        if (!retry.isPending) for (const { id } of failed) retry.mutate(id);
      },
    }),
    ...(uncertain !== undefined && { y: decide('sent'), n: decide('failed') }),
    ...(isScheduled(message) && { s: () => sendNow.mutate() }),
  };
}

const chosen = () => document.activeElement?.closest('[data-message]');

/** Moves the focus back to the list, where the arrow keys continue. */
function leave(): void {
  document.querySelector<HTMLElement>('[role="log"]')?.focus();
}
