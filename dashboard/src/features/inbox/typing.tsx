import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { useEvents } from '../../api/live';
import { usePeople } from '../../api/people';
import { useSession } from '../../api/session';
import { messages as t } from './jump-messages';

/** Platforms show the typing indicator for about five seconds, so it is repeated slightly earlier. */
const REPEAT_MS = 4_000;
/** A closed window sends no event, so the indicator also ends after this time. */
const SHOWN_MS = 8_000;

/** Sends a typing indicator to the other side until the text is sent or empty. */
export function useTellTyping(conversationId: string): (text: string) => void {
  const startedAt = useRef(0);
  return useCallback(
    (text: string) => {
      const state = text === '' ? 'stopped' : 'started';
      const isKnown =
        state === 'started' ? Date.now() - startedAt.current < REPEAT_MS : startedAt.current === 0;
      if (isKnown) return;
      startedAt.current = state === 'started' ? Date.now() : 0;
      const path = { id: conversationId };
      // A failure has no consequences.
      void api
        .POST('/openapi/conversations/{id}/typing', { params: { path }, body: { state } })
        .catch(() => undefined);
    },
    [conversationId],
  );
}

/** The names of others who are typing in the conversation. */
export function TypingPeople({ conversationId }: { readonly conversationId: string }) {
  const ids = useTypingIds(conversationId);
  const people = usePeople(ids);
  const names = ids.flatMap((id) => people.get(id)?.display_name ?? []);
  return (
    <p aria-live="polite" className="untrusted truncate px-4 text-muted text-xs empty:hidden">
      {names.length > 0 && t('typing', { names: names.join(', '), count: names.length })}
    </p>
  );
}

function useTypingIds(conversationId: string): readonly string[] {
  const { user } = useSession();
  const [ids, setIds] = useState<readonly string[]>([]);
  const timers = useRef(new Map<string, number>());
  const handle = useCallback(
    ({ name, data }: ServiceEvent) => {
      const { conversation_id: where, user_id: id, sender_id: sender } = data;
      if (where !== conversationId) return;
      const end = (who: unknown) => {
        clearTimeout(timers.current.get(String(who)));
        setIds((old) => old.filter((each) => each !== who));
      };
      if (name === 'message.created') end(sender);
      if (name === 'typing.stopped') end(id);
      if (name !== 'typing.started' || typeof id !== 'string' || id === user.id) return;
      clearTimeout(timers.current.get(id));
      timers.current.set(id, window.setTimeout(end, SHOWN_MS, id));
      setIds((old) => (old.includes(id) ? old : [...old, id]));
    },
    [conversationId, user.id],
  );
  useEvents(handle);
  useEffect(() => {
    const { current } = timers;
    return () => {
      for (const timer of current.values()) clearTimeout(timer);
    };
  }, []);
  return ids;
}
