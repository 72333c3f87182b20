import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type Person, usePeople } from '../../../api/people';
import { Avatar } from '../../../kit/avatar';
import type { Conversation } from '../views';
import { messages as t } from './messages';
import { Section } from './section';

const PersonFacts = lazy(() => import('./person-facts'));

/** The participants of the conversation. If only one of them is a contact, more is shown about that person. */
export function Participants({ conversation }: { readonly conversation: Conversation }) {
  const present = conversation.participants.filter(({ left_at }) => left_at === null);
  const people = usePeople(present.map(({ user_id }) => user_id));
  const [contact, ...others] = [...people.values()].filter(isContact);
  return (
    <Section title={t('participants')}>
      {present.map(({ user_id }) => {
        const person = people.get(user_id);
        return person === undefined ? null : <Participant key={user_id} person={person} />;
      })}
      {contact !== undefined && others.length === 0 && (
        <Suspense>
          <PersonFacts person={contact} />
        </Suspense>
      )}
    </Section>
  );
}

const isContact = ({ kind }: Person): boolean => kind === 'contact';

/** A contact links to its profile. */
function Participant({ person }: { readonly person: Person }) {
  const { id, display_name: name, email, phone, identities } = person;
  // Removes duplicates: the phone number of an SMS contact is also the handle, and often the name.
  const addresses = new Set([email, phone, ...identities.map(({ handle }) => handle)]);
  const shown = [...addresses].filter((each) => each && each !== name).join(' · ');
  return (
    <div className="flex items-center gap-2">
      <Avatar name={name} />
      <div className="min-w-0">
        <p className="untrusted truncate text-sm">
          {isContact(person) ? (
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
