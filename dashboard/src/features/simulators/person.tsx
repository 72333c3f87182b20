import { createContext, useContext } from 'react';
import type {
  PhoneAction,
  PhoneChat,
  PhoneMessage,
  Simulator,
  SimulatorAbility,
} from '../../api/simulator-paths';
import { useAct } from './queries';

/** The owner of the phone: a chat on a platform, and the person who writes in it. */
export interface Person {
  readonly simulator: Simulator;
  readonly chat: PhoneChat;
  readonly name: string;
}

/** The effect of the next text on a message. */
export interface Intent {
  readonly kind: 'reply' | 'edit';
  readonly message: PhoneMessage;
}

export const PersonContext = createContext<Person | undefined>(undefined);

type WithoutPerson<Action> = Action extends unknown ? Omit<Action, 'chat_id' | 'sender'> : never;

/** The person who owns this phone, with the available actions. */
export function usePerson() {
  const person = useContext(PersonContext);
  if (person === undefined) throw new Error('There is no PersonContext.');
  const { simulator, chat, name } = person;
  const { mutate, isPending, variables } = useAct(simulator.platform);
  return {
    ...person,
    isPending: (...types: PhoneAction['type'][]) => isPending && types.includes(variables.type),
    can: (ability: SimulatorAbility) => simulator.abilities.includes(ability),
    act: (action: WithoutPerson<PhoneAction>, onSuccess?: () => void) =>
      mutate({ ...action, chat_id: chat.id, sender: name } as PhoneAction, { onSuccess }),
  };
}
