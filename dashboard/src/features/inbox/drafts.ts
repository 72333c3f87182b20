import { useEffect, useState } from 'react';
import { useSession } from '../../api/session';

/** A part of what a person writes in a conversation. It outlives the page and the session, in this browser. */
export function useDraft(part: string, conversationId: string): [string, (text: string) => void] {
  const { user } = useSession();
  const key = `draft.${part}${user.id}.${conversationId}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? '');
  useEffect(() => {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  }, [key, text]);
  return [text, setText];
}
