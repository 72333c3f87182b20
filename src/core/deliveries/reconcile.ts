import { clock } from '../../contract/clock.js';
import {
  type Destination,
  type LookupQuery,
  type PartStep,
  type Plan,
  PlatformError,
  remoteMessageId,
} from '../../contract/index.js';
import type { DeliveryStore, SendingConnection } from './ports.js';
import { RETRY_WAITS_MS } from './retry-schedule.js';
import { callWithTimeout, STEP_LIMIT_MS } from './send/call-with-timeout.js';
import { type CreateKnowledge, knowledgeFrom, lookAgainMs } from './send/create-knowledge.js';
import { destination, planTask } from './send/plan-task.js';
import { openChat } from './send/send-target.js';
import { stepKey } from './send/step-key.js';
import { partsAfter, placesOf } from './send/step-parts.js';
import { begun } from './send/uncertain-create.js';
import type { Gate } from './send/write-gate.js';
import type { DeliveryMove, DeliveryTask, KnownPart, TaskResult } from './task.js';
import { later, policyFor, shownRevision, taskKeys } from './task-result.js';

export interface LookupContext {
  /** Permits each lookup, like a write. */
  readonly gate: Gate;
  /** Called with the error if the lookup failed. */
  onFailure(cause: unknown): Promise<void>;
}

/**
 * Determines the outcome of a send whose response was lost, according to the policy of the connection. Undefined if the
 * lane was taken over.
 */
export async function reconcile(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  { gate, onFailure }: LookupContext,
): Promise<TaskResult | undefined> {
  if (policyFor(task, connection) === 'retry' && hasTriesLeft(task))
    return resolved(task, [], sendAgain('retried'));
  try {
    return await lookUp(task, connection, store, gate);
  } catch (cause) {
    await onFailure(cause);
    return lookupFailed(task, cause);
  }
}

/** Schedules another lookup. A lookup that is permanently rejected is not repeated. */
function lookupFailed(task: DeliveryTask, cause: unknown): TaskResult {
  const problem = cause instanceof PlatformError ? cause.problem : undefined;
  const error = {
    code: 'network' as const,
    message: cause instanceof Error ? cause.message : 'The lookup failed.',
    permanent: false,
    platform_code: null,
  };
  if (problem?.kind === 'rejected') return { ...putOff(task, [], null), error };
  const requestedMs = problem?.kind === 'rate_limited' ? problem.retryAfterMs : 0;
  const waitMs = Math.max(requestedMs, lookAgainMs(unknownForMs(task)));
  return { ...putOff(task, [], later(clock.date(), waitMs)), outcome: 'retry', error };
}

/**
 * Looks up the part that was being written when the outcome became unknown: the first part that is not known to be
 * written. Parts are written in sequence, each after the previous one was recorded, so later parts were never sent.
 */
async function lookUp(
  task: DeliveryTask,
  connection: SendingConnection,
  store: DeliveryStore,
  gate: Gate,
): Promise<TaskResult | undefined> {
  const { lookup } = connection.adapter;
  if (lookup === undefined) return putOff(task, [], null);
  // The sender may have failed before the chat was opened.
  const opens = task.link.address !== null && connection.adapter.openDirect !== undefined;
  if (opens && !(await gate.pass(destination(task, task.link.external_id), undefined, task.parts))) return;
  const chatId = await openChat(task, connection, store);
  const send = { ...task, operation: 'send' as const };
  const plan = planTask(send, connection, chatId);
  const [step, ...neverSent] = unwritten(plan.steps, task.parts);
  if (step === undefined) return resolved(task, [], sent(task, plan));
  const to = destination(task, chatId);
  if (!(await gate.pass(to, undefined, task.parts))) return;
  const query = queryFor(task, step, to, stepKey(send, step));
  const result = await callWithTimeout(() => lookup.call(connection.adapter, query), STEP_LIMIT_MS);
  const after = neverSent.length > 0 ? sendAgain('reconciled') : sent(task, plan);
  return concluded(task, step, after, knowledgeFrom(result));
}

function unwritten(steps: readonly PartStep[], parts: readonly KnownPart[]): readonly PartStep[] {
  return steps.filter(
    (step) => !parts.some(({ index, status }) => index === step.index && status === 'sent'),
  );
}

function queryFor(task: DeliveryTask, step: PartStep, to: Destination, key: string): LookupQuery {
  const { last_try: last } = task;
  return {
    to,
    key,
    step,
    startedAt: task.started_at ?? new Date(0).toISOString(),
    ...(last ? { lastStartedAt: last.started_at } : {}),
    ...(last?.closed_at ? { closedAt: last.closed_at } : {}),
    knownIds: task.known_ids.map(remoteMessageId),
  };
}

/** The result for the delivery, given the knowledge about its step. `after`: its move if the step is found. */
function concluded(
  task: DeliveryTask,
  step: PartStep,
  after: DeliveryMove,
  knowledge: CreateKnowledge,
): TaskResult {
  switch (knowledge.state) {
    case 'found':
      return resolved(task, partsAfter(task, step, knowledge.found), after);
    case 'repeatable':
      if (mayRepeat(task, knowledge)) {
        const parts = knowledge.proof === 'settled' ? neverMade(step) : begun(step);
        return resolved(task, parts, sendAgain('reconciled'));
      }
      return putOff(task, [], later(clock.date(), lookAgainMs(unknownForMs(task))));
    case 'unanswered': {
      const waitMs = knowledge.askAgainAfterMs ?? lookAgainMs(unknownForMs(task));
      return putOff(task, [], later(clock.date(), waitMs));
    }
    case 'unknowable':
      return putOff(task, [], null);
  }
}

/** Time since the outcome became unknown. */
function unknownForMs({ uncertain_at: since }: DeliveryTask): number {
  return since == null ? 0 : clock.now() - Date.parse(since);
}

/** Records parts that certainly do not exist, so that the next attempt needs no lookup. */
function neverMade(step: PartStep): KnownPart[] {
  return placesOf(step).map((place) => ({ ...place, status: 'removed', external_id: null }));
}

/** Whether the create may be repeated. A deleted message that may still appear is looked up until it can be removed. */
function mayRepeat(
  task: DeliveryTask,
  { proof }: Extract<CreateKnowledge, { state: 'repeatable' }>,
): boolean {
  return hasTriesLeft(task) && (proof === 'settled' || task.message.deleted !== true);
}

/** Whether attempts are left. Without any, lookups continue, because the latest attempt may still take effect. */
function hasTriesLeft({ attempt_count: tries }: DeliveryTask): boolean {
  return tries <= RETRY_WAITS_MS.length;
}

/** Returns the delivery to its lane. Parts that are known to be written are not written again. */
function sendAgain(resolution: 'reconciled' | 'retried'): DeliveryMove {
  return { from: ['uncertain'], to: 'queued', resolution, error: null };
}

/** A worker that died did not record the degradations, so they are taken from the plan. */
function sent(task: DeliveryTask, { degradations }: Plan): DeliveryMove {
  const revision = task.last_try?.revision ?? task.message.revision;
  return {
    from: ['uncertain'],
    to: 'sent',
    revision: shownRevision(task.parts, revision),
    degradations,
    resolution: 'reconciled',
    error: null,
  };
}

/** Resolves the delivery with `move`. */
function resolved(task: DeliveryTask, parts: readonly KnownPart[], move: DeliveryMove): TaskResult {
  return { ...taskKeys(task), outcome: 'uncertain', error: null, parts, move, change: null };
}

/** Keeps the delivery uncertain. The next lookup is at `until`; null: no further lookup. */
function putOff(task: DeliveryTask, parts: readonly KnownPart[], until: string | null): TaskResult {
  const change = { next_attempt_at: until };
  return { ...taskKeys(task), outcome: 'uncertain', error: null, parts, move: null, change };
}
