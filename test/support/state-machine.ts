import type { Pool } from 'pg';
import { AppError } from '../../src/core/common/errors.js';
import type { StateMachine } from '../../src/core/common/states.js';
import { values } from './people.js';

/** The outcome of each pair of state and move: the next state, `refused` or `ignored`. */
export type Outcomes = Record<string, string>;

/** An event that keeps the state is indistinguishable from an ignored one. */
function outcome(state: string, next: string | undefined, by: 'request' | 'event'): string {
  if (by === 'event') return next === undefined || next === state ? 'ignored' : next;
  return next ?? 'refused';
}

const pair = (state: string, move: string) => `${state} · ${move}`;

/** The outcomes that the table of a machine states. */
export function statedOutcomes<State extends string, Name extends string>({
  states,
  moves,
}: StateMachine<State, Name>): Outcomes {
  const outcomes: Outcomes = {};
  for (const state of Object.keys(states) as State[])
    for (const name of Object.keys(moves) as Name[])
      outcomes[pair(state, name)] = outcome(state, states[state][name], moves[name].by);
  return outcomes;
}

/**
 * The observed outcome of every pair. `attempt` creates a record in the state, makes the move, and resolves with the next state.
 * A refusal must name the state.
 */
export async function observedOutcomes<State extends string, Name extends string>(
  { states, moves }: StateMachine<State, Name>,
  attempt: (state: State, move: Name) => Promise<State | undefined>,
): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const state of Object.keys(states) as State[]) {
    for (const name of Object.keys(moves) as Name[]) {
      const next = await attempt(state, name).catch((error: unknown) => refusalIn(error, state));
      outcomes[pair(state, name)] = next === state && moves[name].by === 'event' ? 'ignored' : String(next);
    }
  }
  return outcomes;
}

function refusalIn(error: unknown, state: string): 'refused' {
  if (!(error instanceof AppError)) throw error;
  if (error.details?.reason !== 'invalid_state' || error.details.current !== state) throw error;
  return 'refused';
}

/** The statuses that a table's constraint permits. */
export async function permittedStatuses(pool: Pool, table: string): Promise<string[]> {
  const [definition] = await values<string>(
    pool,
    `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $1 || '_status_check'`,
    [table],
  );
  return [...(definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, status]) => status as string).sort();
}
