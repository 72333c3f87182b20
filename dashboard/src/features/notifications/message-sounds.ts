import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, must } from '../../api/client';
import type { ServiceEvent } from '../../api/event-stream';
import { useEvents } from '../../api/live';
import { notificationsQuery } from '../../api/notifications';
import { useSession } from '../../api/session';
import { playMessageTone } from '../../kit/tones';

/** Messages that arrive within this time play a single sound. */
const QUIET_MS = 2_000;
/** All pages of this browser share this lock, so that only one of them plays the sound. */
const LOCK = 'message-sound';

/** Plays a sound, on every screen, when a contact writes in a conversation that is assigned to the user or unassigned. */
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

/** A missing sound does not justify an error message. */
const report = (error: unknown) => console.info('sound.not_played', error);

let quietUntil = 0;

async function once(work: () => Promise<boolean>): Promise<void> {
  if (performance.now() < quietUntil) return;
  quietUntil = performance.now() + QUIET_MS;
  if (!('locks' in navigator)) return void (await work());
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    // Other pages receive the same event slightly later, so the lock is held for a while.
    if (await work()) await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    else quietUntil = 0;
  });
}

/** Returns whether the sound was played. */
async function soundFor(conversationId: string, userId: string, queries: QueryClient): Promise<boolean> {
  const choices = await queries.ensureQueryData(notificationsQuery);
  if (!choices.sound_mine && !choices.sound_unassigned) return false;
  const params = { path: { id: conversationId } };
  const { assignee_id: assignee, number } = await must(api.GET('/openapi/conversations/{id}', { params }));
  const isWanted = assignee === null ? choices.sound_unassigned : assignee === userId && choices.sound_mine;
  if (!isWanted || isBeforeThePerson(number)) return false;
  return playMessageTone();
}

/** The user already sees this conversation. */
function isBeforeThePerson(number: number): boolean {
  return document.hasFocus() && location.pathname === `/dashboard/inbox/${number}`;
}
