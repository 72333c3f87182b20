import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, must } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { useEvents } from '../../api/live';
import { notificationsQuery } from '../../api/notifications';
import { useSession } from '../../api/session';
import { playMessageTone } from '../../kit/tones';

/** Sounds of messages that come close together are one. */
const QUIET_MS = 2_000;
/** All pages of this browser share it, so that one of them plays. */
const LOCK = 'message-sound';

/** Sounds when a contact writes in a conversation of the person or of no member, on every screen. */
export function MessageSounds() {
  const { user } = useSession();
  const queries = useQueryClient();
  const sound = useCallback(
    ({ name, data }: ServiceEvent) => {
      if (name !== 'message.created' || data.direction !== 'inbound') return;
      const id = data.conversation_id;
      if (typeof id === 'string') void once(() => soundFor(id, user.id, queries)).catch(report);
    },
    [queries, user.id],
  );
  useEvents(sound);
  return null;
}

/** A sound that is missing is no reason to disturb the person. */
const report = (error: unknown) => console.info('sound.not_played', error);

let quietUntil = 0;

async function once(work: () => Promise<boolean>): Promise<void> {
  if (performance.now() < quietUntil) return;
  quietUntil = performance.now() + QUIET_MS;
  if (!('locks' in navigator)) return void (await work());
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    // Other pages get the same event a moment later.
    if (await work()) await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    else quietUntil = 0;
  });
}

/** Whether it was played. */
async function soundFor(conversationId: string, userId: string, queries: QueryClient): Promise<boolean> {
  const choices = await queries.ensureQueryData(notificationsQuery);
  if (!choices.sound_mine && !choices.sound_unassigned) return false;
  const params = { path: { id: conversationId } };
  const { assignee_id: assignee, number } = await must(api.GET('/openapi/conversations/{id}', { params }));
  const isWanted = assignee === null ? choices.sound_unassigned : assignee === userId && choices.sound_mine;
  if (!isWanted || isBeforeThePerson(number)) return false;
  return playMessageTone();
}

/** The person sees the message arrive. */
function isBeforeThePerson(number: number): boolean {
  return document.hasFocus() && location.pathname === `/dashboard/inbox/${number}`;
}
