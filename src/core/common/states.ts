/**
 * The states of a record and the moves between them. Database functions make the moves. test/integration/states
 * compares each table with these functions, for every pair of a state and a move.
 */

/**
 * The cause of a move. If a state does not list a move that a client requests, the request is refused
 * (`invalid_state`). If it does not list another move, that move is ignored.
 */
interface Move {
  readonly by: 'request' | 'event';
  readonly when: string;
}

export interface StateMachine<State extends string, Name extends string> {
  readonly name: string;
  readonly moves: Readonly<Record<Name, Move>>;
  /** The states in which a record is created, with the condition. */
  readonly begins: Readonly<Partial<Record<State, string>>>;
  /** The moves that each state allows, each with the next state. */
  readonly states: Readonly<Record<State, Readonly<Partial<Record<Name, State>>>>>;
}

/** Infers the names of the states and moves, so that the compiler rejects unknown names. */
export function stateMachine<const State extends string, const Name extends string>(
  machine: Omit<StateMachine<State, Name>, 'begins' | 'states'> & {
    readonly begins: Readonly<Partial<Record<NoInfer<State>, string>>>;
    readonly states: Readonly<Record<State, Readonly<Partial<Record<NoInfer<Name>, NoInfer<State>>>>>>;
  },
): StateMachine<State, Name> {
  return machine;
}

/** The states in the order of the table, as an enumeration for the record. */
export function statesOf<State extends string>(machine: StateMachine<State, never>): [State, ...State[]] {
  return Object.keys(machine.states) as [State, ...State[]];
}

/** The states that allow a move. */
export function statesBefore<State extends string, Name extends string>(
  machine: StateMachine<State, Name>,
  move: Name,
): readonly State[] {
  return (Object.keys(machine.states) as State[]).filter(
    (state) => machine.states[state][move] !== undefined,
  );
}
