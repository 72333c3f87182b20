import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, must } from '../../api/client';
import { usePermissions, useSession } from '../../api/session';
import type { Message } from './message-pages';

/** Maximum number per request. */
const MAX_READ = 100;

/** Marks the loaded messages as read while the page has the focus. */
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
      const all = ids.split(',').reverse();
      for (let from = 0; from < all.length && !isOver; from += MAX_READ) {
        const body = { message_ids: all.slice(from, from + MAX_READ) };
        // After a failure the messages stay unread, which is correct.
        await must(api.POST('/messages/read', { body })).catch(() => undefined);
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
