import { Avatar } from './avatar';

interface Person {
  readonly id: string;
  readonly display_name: string;
}

interface PersonChoiceProps<Found extends Person> {
  readonly people: readonly Found[];
  /** Distinguishes people with the same name. */
  readonly detail?: (person: Found) => string | null;
  readonly onChoose: (person: Found) => void;
}

/** Shows the search results, so that the user can select a person. */
export function PersonChoice<Found extends Person>({ people, detail, onChoose }: PersonChoiceProps<Found>) {
  return (
    <ul className="flex max-h-60 flex-col overflow-y-auto">
      {people.map((person) => (
        <li key={person.id}>
          <button
            type="button"
            onClick={() => onChoose(person)}
            className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm touch:min-h-10 hover:bg-hover"
          >
            <Avatar name={person.display_name} />
            <span className="untrusted min-w-0 truncate">{person.display_name}</span>
            <span className="untrusted min-w-0 truncate text-muted">{detail?.(person)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
