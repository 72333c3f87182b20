import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { api, must } from '../../api/client';
import { useSession } from '../../api/session';
import type { Session } from '../../api/session-paths';
import { changeMessages, withMessage } from './live-messages';
import type { Message } from './message-pages';
import { Outbox, type OutgoingMessage } from './outbox';

/** Metadata field of sent messages, by which another session finds them. */
const KEY_FIELD = 'dashboard_key';

const OutboxContext = createContext<Outbox | undefined>(undefined);

/** One outbox for all conversations, so that sending continues when the user opens another one. */
export function OutboxProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { user, csrf_token: token } = useSession();
  const outbox = useMemo(() => makeOutbox(queries, user, token), [queries, user, token]);
  useEffect(() => void outbox.resume(), [outbox]);
  return <OutboxContext value={outbox}>{children}</OutboxContext>;
}

export function useOutbox(): Outbox {
  const outbox = useContext(OutboxContext);
  if (outbox === undefined) throw new Error('There is no OutboxProvider.');
  return outbox;
}

export function useOutgoing(conversationId: string): readonly OutgoingMessage[] {
  const outbox = useOutbox();
  const messages = useSyncExternalStore(outbox.watch, () => outbox.messages);
  return useMemo(
    () => messages.filter((each) => each.conversationId === conversationId),
    [messages, conversationId],
  );
}

/** The outbox key of a message sent by the dashboard. */
export const keyOf = (message: Message): unknown => message.metadata[KEY_FIELD];

function makeOutbox(queries: QueryClient, user: Session['user'], token: string): Outbox {
  return new Outbox({
    storage: localStorage,
    // A prefix of the token identifies the session. The token itself is a secret and is not stored.
    session: token.slice(0, 8),
    userId: user.id,
    send: sendMessage,
    find: findMessage,
    sent: (message) =>
      changeMessages(queries, message.conversation_id, (pages) => withMessage(pages, message)),
    wait: waitOnline,
  });
}

function sendMessage({
  key,
  conversationId,
  text,
  isMarkdown = false,
  uploadIds,
  replyToId,
  sendAt,
  isInternal = false,
}: OutgoingMessage): Promise<Message> {
  return must(
    api.POST('/openapi/messages', {
      params: { header: { 'Idempotency-Key': key } },
      body: {
        conversation_id: conversationId,
        text,
        content_type: isMarkdown ? 'markdown' : 'text',
        attachments: uploadIds.map((id) => ({ upload_id: id })),
        reply_to_id: replyToId ?? null,
        send_at: sendAt ?? null,
        internal: isInternal,
        metadata: { [KEY_FIELD]: key },
      },
    }),
  );
}

async function findMessage({ key, conversationId }: OutgoingMessage): Promise<Message | undefined> {
  const query = { conversation_id: conversationId, filter: [`metadata.${KEY_FIELD}:${key}`], cursor: '' };
  const { data } = await must(api.GET('/openapi/messages', { params: { query } }));
  return data[0];
}

/** Waits for the given time, or until the network is available again. */
function waitOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
  });
}
