import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, must } from '../../api/client';
import { usePermissions, useSession } from '../../api/session';
import type { Message } from './message-pages';

/** Marks the loaded messages as read while the person has the conversation before them. */
export function useMarkRead(messages: readonly Message[]): void {
  const queries = useQueryClient();
  const { canWrite } = usePermissions();
  const { user } = useSession();
  const unread = messages.filter((message) => isUnread(message, user.id)).map(({ id }) => id);
  const ids = canWrite ? unread.join() : '';
  useEffect(() => {
    if (ids === '') return;
    let isOver = false;
    const mark = async () => {
      if (!document.hasFocus()) return;
      removeEventListener('focus', mark);
      for (const id of ids.split(',').reverse()) {
        if (isOver) return;
        const read = must(api.POST('/openapi/messages/{id}/read', { params: { path: { id } } }));
        // What could not be marked stays unread, which is true.
        await read.catch(() => undefined);
      }
      await queries.invalidateQueries({ queryKey: ['conversations'] });
    };
    addEventListener('focus', mark);
    void mark();
    return () => {
      isOver = true;
      removeEventListener('focus', mark);
    };
  }, [ids, queries]);
}

function isUnread({ sender_id, read_by }: Message, userId: string): boolean {
  return sender_id !== userId && !read_by.some(({ user_id }) => user_id === userId);
}
