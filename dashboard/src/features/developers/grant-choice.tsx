import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePeople } from '../../api/people';
import { ChosenList } from '../../kit/chosen-list';
import { Field } from '../../kit/field';
import { SearchChoice } from '../../kit/search-choice';
import { Select } from '../../kit/select';
import { useSettled } from '../../kit/settled';
import { messages as t } from './grant-messages';
import { type Conversation, foundConversationsQuery, grantedQuery } from './grant-queries';

const PAUSE_MS = 250;
const MAX_NAMES = 3;

interface GrantChoiceProps {
  readonly environment: 'live' | 'test';
  /** Null means that the key sees all conversations. */
  readonly grant: readonly string[] | null;
  readonly onChange: (grant: string[] | null) => void;
  readonly error: string | undefined;
}

/**
 * Selects all conversations, or specific ones. Test keys have no choice, because the dashboard shows conversations of the live
 * workspace.
 */
export function GrantChoice({ environment, grant, onChange, error }: GrantChoiceProps) {
  if (environment === 'test')
    return (
      <Field label={t('conversations')} help={t('ofTest')}>
        <Select
          value="all"
          onChange={() => undefined}
          options={{ all: grant === null ? t('all') : t('sees', { count: grant.length }) }}
        />
      </Field>
    );
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('conversations')} help={t('help')} error={error}>
        <Select
          value={grant === null ? 'all' : 'chosen'}
          onChange={(next) => onChange(next === 'all' ? null : [])}
          options={{ all: t('all'), chosen: t('chosen') }}
        />
      </Field>
      {grant !== null && <Chosen grant={grant} onChange={onChange} />}
    </div>
  );
}

interface ChosenProps {
  readonly grant: readonly string[];
  readonly onChange: (grant: string[]) => void;
}

function Chosen({ grant, onChange }: ChosenProps) {
  const [text, setText] = useState('');
  const settled = useSettled(text.trim(), PAUSE_MS);
  const { data: found, isPlaceholderData } = useQuery(foundConversationsQuery(settled));
  const { data: granted = [] } = useQuery(grantedQuery(grant));
  // Known before the service responds again.
  const [met, setMet] = useState<readonly Conversation[]>([]);
  const rows = new Map([...met, ...granted].map((row) => [row.id, row]));
  const left = (found?.rows ?? []).filter(({ id }) => !grant.includes(id));
  const nameOf = useNames([...rows.values(), ...left]);
  const named = (id: string) => {
    const row = rows.get(id);
    return row === undefined ? t('gone') : nameOf(row);
  };
  return (
    <>
      <Field label={t('add')}>
        <SearchChoice
          placeholder={t('search')}
          text={text}
          onSearch={setText}
          options={left.map((row) => ({ id: row.id, name: nameOf(row), row }))}
          hasMore={found?.hasMore ?? false}
          isSearching={found === undefined || isPlaceholderData || settled !== text.trim()}
          onChoose={({ row }) => {
            setMet((old) => [...old, row]);
            onChange([...grant, row.id]);
          }}
        />
      </Field>
      <ChosenList
        label={t('chosen')}
        chosen={grant}
        nameOf={named}
        removeLabel={(name) => t('remove', { name })}
        onRemove={(id) => onChange(grant.filter((each) => each !== id))}
        className="max-h-40 overflow-y-auto"
      />
    </>
  );
}

/** Searches conversations by title, customer name or number. */
function useNames(conversations: readonly Conversation[]): (conversation: Conversation) => string {
  const customersOf = ({ title, participants }: Conversation) =>
    title?.trim()
      ? []
      : participants
          .filter(({ role, left_at }) => role === 'customer' && left_at === null)
          .slice(0, MAX_NAMES)
          .map(({ user_id }) => user_id);
  const people = usePeople(conversations.flatMap(customersOf));
  return (conversation) => {
    const names = customersOf(conversation).flatMap((id) => people.get(id)?.display_name ?? []);
    const name = conversation.title?.trim() || names.join(', ');
    const number = t('number', { number: conversation.number });
    return name === '' ? number : `${name} · ${number}`;
  };
}
