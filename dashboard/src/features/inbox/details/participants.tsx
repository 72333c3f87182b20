import { Link } from '@tanstack/react-router';
import { type Person, usePeople } from '../../../api/people';
import { Avatar } from '../../../kit/avatar';
import type { Conversation } from '../views';
import { messages as t } from './messages';
import { Section } from './section';

/** The participants of the conversation. A contact links to its profile. */
export function Participants({ conversation }: { readonly conversation: Conversation }) {
  const present = conversation.participants.filter(({ left_at }) => left_at === null);
  const people = usePeople(present.map(({ user_id }) => user_id));
  return (
    <Section title={t('participants')}>
      {present.map(({ user_id }) => {
        const person = people.get(user_id);
        return person === undefined ? null : <Participant key={user_id} person={person} />;
      })}
    </Section>
  );
}

function Participant({ person }: { readonly person: Person }) {
  const { id, kind, display_name: name, email, phone, identities } = person;
  // Removes duplicates: the phone number of an SMS contact is also the handle, and often the name.
  const addresses = new Set([email, phone, ...identities.map(({ handle }) => handle)]);
  const shown = [...addresses].filter((each) => each && each !== name).join(' · ');
  const isContact = kind === 'contact';
  return (
    <div className="flex items-center gap-2">
      <Avatar name={name} />
      <div className="min-w-0">
        <p className="untrusted truncate text-sm">
          {isContact ? (
            <Link to="/contacts/$id" params={{ id }} className="text-accent-text hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <p className="untrusted truncate text-muted text-xs">{shown}</p>
      </div>
    </div>
  );
}
