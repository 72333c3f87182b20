import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { personClauses } from '../../api/person-search';
import { ConversationRow } from './conversation-row';
import type { Conversation } from './views';

const PEOPLE = 10;
const SHOWN = 5;

/** The newest conversations of the contacts whose name or address fits. */
const ofPeopleQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', 'people', text],
    queryFn: async ({ signal }): Promise<Conversation[]> => {
      const filter = ['kind:contact', ...personClauses(text)];
      const people = { filter, limit: PEOPLE, cursor: '' };
      const found = (await must(api.GET('/openapi/users', { params: { query: people }, signal }))).data;
      if (found.length === 0) return [];
      const query = {
        filter: [`participant_id:${found.map(({ id }) => id).join('|')}`],
        sort: 'last_message_at' as const,
        limit: SHOWN,
        cursor: '',
      };
      return (await must(api.GET('/openapi/conversations', { params: { query }, signal }))).data;
    },
    enabled: personClauses(text).length > 0,
  });

/** Undefined while it is not known. */
export function useConversationsOf(text: string): readonly Conversation[] | undefined {
  const { data, isError, isLoading } = useQuery(ofPeopleQuery(text));
  return data ?? (isError || !isLoading ? [] : undefined);
}

interface PeopleFoundProps {
  readonly title: string;
  readonly conversations: readonly Conversation[];
}

export function PeopleFound({ title, conversations }: PeopleFoundProps) {
  return (
    <section aria-label={title}>
      <h2 className="px-3 py-2 font-medium text-muted text-xs">{title}</h2>
      {conversations.map((conversation) => (
        <ConversationRow key={conversation.id} conversation={conversation} isSelected={false} />
      ))}
    </section>
  );
}
