/**
 * The states of a record and the moves between them. Database functions make the moves; test/integration/states compares each
 * table with them, for every pair of a state and a move.
 */

/**
 * What causes a move. A state that does not list a move that a client requests refuses it (`invalid_state`). A state that does not
 * list another move ignores it.
 */
export interface Move {
  readonly by: 'request' | 'event';
  readonly when: string;
}

export interface StateMachine<State extends string, Name extends string> {
  readonly name: string;
  readonly moves: Readonly<Record<Name, Move>>;
  /** The states in which a record is created, with the condition. */
  readonly begins: Readonly<Partial<Record<State, string>>>;
  /** For each state the moves that it allows, each with the state that follows. */
  readonly states: Readonly<Record<State, Readonly<Partial<Record<Name, State>>>>>;
}

/** The states in the order of the table, for the enumeration of a record. */
export function statesOf<State extends string>(table: Readonly<Record<State, unknown>>): [State, ...State[]] {
  return Object.keys(table) as [State, ...State[]];
}
