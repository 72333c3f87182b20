import { clock } from '../../../contract/clock.js';
import { type PartStep, PlatformError, remoteMessageId } from '../../../contract/index.js';
import type { SendingConnection } from '../ports.js';
import { EDIT_UNCERTAIN_MS } from '../retry-schedule.js';
import type { DeliveryTask, KnownPart } from '../task.js';
import { policyFor } from '../uncertain-policy.js';
import { callWithTimeout, STEP_LIMIT_MS } from './call-with-timeout.js';
import { type CreateKnowledge, knowledgeFrom, lookAgainMs, StillUnanswered } from './create-knowledge.js';
import { destination } from './plan-task.js';
import { stepKey } from './step-key.js';
import { partsAfter, placesOf } from './step-parts.js';
import type { Gate } from './write-gate.js';

type Parts = ReadonlyMap<number, KnownPart>;

/**
 * The parts of a create of an edit, recorded before the call. After a crash another worker must not repeat the create
 * without a lookup.
 */
export function begun(step: PartStep): KnownPart[] {
  return placesOf(step).map((place) => ({ ...place, status: 'uncertain', external_id: null }));
}

interface LookupContext {
  readonly task: DeliveryTask;
  readonly connection: SendingConnection;
  /** Permits the lookup like a write. */
  readonly gate: Gate;
}

/** Whether an earlier attempt may have created this part. */
export function isUncertainCreate({ action, index }: PartStep, parts: Parts): boolean {
  return action === 'create' && parts.get(index)?.status === 'uncertain';
}

/**
 * Looks up a part that an earlier attempt may have created, if the policy of the connection allows it.
 *
 * Resolves with an empty list if the part may be created, and with undefined if another worker has the lane. Throws
 * `StillUnanswered` while the earlier attempt may still take effect. Throws another error if the outcome is unknowable;
 * an edit is then abandoned, and a send stays uncertain.
 */
export async function findUncertainCreate(
  { task, connection, gate }: LookupContext,
  step: PartStep,
  chatId: string,
  parts: Parts,
): Promise<readonly KnownPart[] | undefined> {
  const policy = policyFor(task, connection);
  const { lookup } = connection.adapter;
  const tried = task.in_doubt;
  if (policy === 'hold' || lookup === undefined || tried == null) throw unknown();
  // A part that an edit of an earlier revision created has another text and another key.
  if (task.operation === 'edit' && tried.revision !== task.message.revision) throw unknown();
  const ownIds = [...parts.values()].flatMap((part) => part.external_id ?? []);
  const to = destination(task, chatId);
  if (!(await gate.pass(to, undefined, [...parts.values()]))) return undefined;
  const query = {
    to,
    key: stepKey(task, step),
    step,
    startedAt: tried.started_at,
    knownIds: [...task.known_ids, ...ownIds].map(remoteMessageId),
  };
  const result = await callWithTimeout(() => lookup.call(connection.adapter, query), STEP_LIMIT_MS);
  const unknownForMs = clock.now() - Date.parse(tried.started_at);
  const isAbandoned = task.operation === 'edit' && unknownForMs > EDIT_UNCERTAIN_MS;
  return concluded(task, step, knowledgeFrom(result), isAbandoned ? undefined : lookAgainMs(unknownForMs));
}

/** `waitMs`: time until the next lookup of a part that was not found. Undefined: no further lookup. */
function concluded(
  task: DeliveryTask,
  step: PartStep,
  knowledge: CreateKnowledge,
  waitMs: number | undefined,
): readonly KnownPart[] {
  switch (knowledge.state) {
    case 'found':
      return partsAfter(task, step, knowledge.found);
    case 'repeatable':
      return [];
    case 'unknowable':
      throw unknown();
    case 'unanswered':
      if (waitMs === undefined) throw unknown();
      throw new StillUnanswered(knowledge.askAgainAfterMs ?? waitMs);
  }
}

function unknown(): PlatformError {
  const message = 'It is not known whether an earlier attempt wrote this part.';
  return new PlatformError({ kind: 'rejected', reason: 'platform_error' }, { dispatched: 'no', message });
}
