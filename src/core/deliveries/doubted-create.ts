import { type PartStep, PlatformError, remoteMessageId } from '../../contract/index.js';
import type { SendingConnection } from '../ports/deliveries.js';
import type { Gate } from './gate.js';
import { limited, STEP_LIMIT_MS } from './limited.js';
import { destination } from './plan-task.js';
import { policyFor } from './policy.js';
import { stepKey } from './step-key.js';
import { partsAfter, placesOf } from './step-parts.js';
import type { DeliveryTask, KnownPart } from './task.js';

type Parts = ReadonlyMap<number, KnownPart>;

/** What a create of an edit is recorded as before it is called: whoever comes after a crash must not repeat it blindly. */
export function begun(step: PartStep): KnownPart[] {
  return placesOf(step).map((place) => ({ ...place, status: 'uncertain', external_id: null }));
}

interface Doubt {
  readonly task: DeliveryTask;
  readonly connection: SendingConnection;
  /** Lets the question go, like a write. */
  readonly gate: Gate;
}

/**
 * What an earlier try of an edit made of a part that it was to create, as the connection's policy says; empty: nothing, it
 * may be created. Undefined when the lane was taken over meanwhile. Throws when nobody can say: the edit is given up.
 */
export async function foundAfterDoubt(
  { task, connection, gate }: Doubt,
  step: PartStep,
  chatId: string,
  parts: Parts,
): Promise<readonly KnownPart[] | undefined> {
  const policy = policyFor(task, connection);
  if (parts.get(step.index)?.status !== 'uncertain' || policy === 'retry') return [];
  const { lookup } = connection.adapter;
  const tried = task.in_doubt;
  // What an earlier revision may have created says something else and has another key.
  if (policy === 'hold' || lookup === undefined || tried?.revision !== task.message.revision) throw unknown();
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
  const result = await limited(() => lookup.call(connection.adapter, query), STEP_LIMIT_MS);
  if (result.outcome === 'undecidable') throw unknown();
  return result.outcome === 'found' ? partsAfter(step, result) : [];
}

function unknown(): PlatformError {
  const message = 'Whether an earlier try has written this part is not known.';
  return new PlatformError({ kind: 'rejected', reason: 'platform_error' }, { dispatched: 'no', message });
}
