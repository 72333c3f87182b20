import type { Container } from 'inversify';
import { RunBroadcastChanges } from '../../core/broadcasts/changes/run.js';
import { RunBroadcast } from '../../core/broadcasts/run.js';
import { RunContactImports } from '../../core/contact-imports/run.js';
import { DeliveryWorker } from '../../core/deliveries/delivery-worker.js';
import { FairRuns, RUNS_AT_ONCE } from '../../core/deliveries/dispatch/fair-runs.js';
import { Receive } from '../../core/inbound/receive.js';
import { FetchMedia } from '../../core/media/fetch-media.js';
import * as ports from '../../core/modules/tokens.js';
import { SendPushes } from '../../core/notifications/run.js';
import { RunApprovals } from '../../core/proposals/run-approvals.js';
import { ShowReactions } from '../../core/signals/show-reactions.js';
import { ShowTyping } from '../../core/signals/show-typing.js';
import { SIGNALS_AT_ONCE } from '../../core/signals/signal-shares.js';
import type { JobQueue } from '../../queue/job-queue.js';
import { DeliverDue, MAX_SESSIONS } from '../../webhooks/deliver-due.js';
import { FanOut } from '../../webhooks/fan-out.js';

/**
 * Registers a handler for each topic of the queue. A job only says where to look; the rows say what is due. `announceEvents`
 * notifies open streams of new events.
 */
export function work(queue: JobQueue, container: Container, announceEvents: () => void): void {
  const deliver = container.get(DeliveryWorker);
  const receive = container.get(Receive);
  const fanOut = container.get(FanOut);
  const webhooks = container.get(DeliverDue);
  const media = container.get(FetchMedia);
  const broadcasts = container.get(RunBroadcast);
  const sending = container.get(ports.SendingConnections);
  const canRunLocally = ({ connection_id: id = '' }) => sending.find(id) !== undefined;
  const runs = new FairRuns(deliver, sending, container.get(ports.WakeUps));
  // Allow more jobs than runs, so that a job without a free run is deferred at once.
  const concurrency = RUNS_AT_ONCE + 50;
  queue.work('deliver', { concurrency, canRunLocally }, async ({ connection_id: id, handed }, { signal }) => {
    if (id !== undefined) await runs.run(id, handed !== undefined, signal);
  });
  queue.work('event', { concurrency: 4 }, ({ events }) => {
    announceEvents();
    return fanOut.run((events ?? '').split(','));
  });
  queue.work('webhook', { concurrency: MAX_SESSIONS }, ({ webhook_id: id }, { signal }) =>
    id === undefined ? Promise.resolve() : webhooks.run(id, signal),
  );
  queue.work('envelope', { concurrency: 4 }, ({ envelope_id: id }) =>
    id === undefined ? Promise.resolve() : receive.retry(id),
  );
  // The job ends at once, because a file that waits for its turn must not block jobs for other files.
  queue.work('media', { concurrency: 8 }, async ({ media_id: id, workspace_id: workspaceId }) => {
    if (id !== undefined) media.ask(workspaceId ?? '', id);
  });
  const isRunning = ({ broadcast_id: id = '' }) => broadcasts.isRunning(id);
  queue.work(
    'broadcast',
    { concurrency: 50, canRunLocally: isRunning },
    ({ broadcast_id: id }, { signal }) => (id === undefined ? Promise.resolve() : broadcasts.run(id, signal)),
  );
  workSignals(queue, container);
  workTimers(queue, container);
}

/** Handles work that becomes due at a known time. */
function workTimers(queue: JobQueue, container: Container): void {
  const messages = container.get(ports.MessageStore);
  const conversations = container.get(ports.ConversationStore);
  const calls = container.get(ports.CallStore);
  const locations = container.get(ports.LocationStore);
  const tracking = container.get(ports.TrackingStore);
  const imports = container.get(RunContactImports);
  const changes = container.get(RunBroadcastChanges);
  const pushes = container.get(SendPushes);
  const approvals = container.get(RunApprovals);
  queue.work('timer', { concurrency: 4 }, async (due) => {
    if (due.message_id !== undefined) await messages.release(due.message_id);
    if (due.conversation_id !== undefined) await conversations.endSnooze(due.conversation_id);
    if (due.tracking_session_id !== undefined) await tracking.expire(due.tracking_session_id);
    if (due.located_user_id !== undefined) await locations.announceWaiting(due.located_user_id);
    if (due.call_id !== undefined) await calls.advance(due.call_id);
    if (due.approvals !== undefined) await approvals.run();
    if (due.push_workspace_id !== undefined) pushes.ask(due.push_workspace_id);
    // Imports and broadcast changes take minutes, so they continue after the job has ended.
    if (due.contact_import_id !== undefined) imports.ask(due.workspace_id ?? '', due.contact_import_id);
    if (due.broadcast_change_id !== undefined) changes.ask(due.workspace_id ?? '', due.broadcast_change_id);
  });
}

/** Handles reactions of a connection and typing indicators. A typing indicator has no row, so its job contains all data. */
function workSignals(queue: JobQueue, container: Container): void {
  const reactions = container.get(ShowReactions);
  const typing = container.get(ShowTyping);
  // Allow more jobs than calls, so that a job without a free call ends at once.
  queue.work('signal', { concurrency: SIGNALS_AT_ONCE + 50 }, async (payload, { signal }) => {
    if (payload.connection_id !== undefined) await reactions.run(payload.connection_id, signal);
    const { conversation_id: conversationId, state, at, from_link_id: fromLinkId } = payload;
    if (conversationId === undefined || at === undefined) return;
    await typing.run(
      { conversationId, at, fromLinkId, state: state === 'stopped' ? 'stopped' : 'started' },
      signal,
    );
  });
}
