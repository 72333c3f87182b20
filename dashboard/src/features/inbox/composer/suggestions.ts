import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, must } from '../../../api/client';
import { quoted } from '../../../api/filter';
import { usePeople } from '../../../api/people';
import { membersQuery } from '../queries';
import type { Conversation } from '../views';
import { type Trigger, withVariables } from './trigger';

export interface Suggestion {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly insert: string;
}

const SHOWN = 6;
const LOADED = 100;
/** The service searches only for three or more characters. Shorter texts are matched against the first templates. */
const SHORTEST_SEARCH = 3;
const DETAIL = 80;

const templatesQuery = (search: string) =>
  queryOptions({
    queryKey: ['templates', search],
    queryFn: async ({ signal }) => {
      const filter = search === '' ? [] : [`name:~${quoted(search)}`];
      const query = { filter, sort: 'name' as const, order: 'asc' as const, limit: LOADED, cursor: '' };
      return (await must(api.GET('/openapi/templates', { params: { query }, signal }))).data;
    },
    staleTime: 30_000,
  });

/** Templates or members whose name contains the text. */
export function useSuggestions(
  trigger: Trigger | undefined,
  conversation: Conversation,
): readonly Suggestion[] {
  const templates = useTemplates(trigger?.kind === 'template' ? trigger.query : undefined, conversation);
  const members = useMembers(trigger?.kind === 'member' ? trigger.query : undefined);
  return trigger?.kind === 'member' ? members : templates;
}

function useTemplates(query: string | undefined, conversation: Conversation): readonly Suggestion[] {
  const search = query !== undefined && query.length >= SHORTEST_SEARCH ? query : '';
  const { data = [] } = useQuery({ ...templatesQuery(search), enabled: query !== undefined });
  const known = useKnownVariables(conversation);
  if (query === undefined) return [];
  // A template with attachments is meant for broadcasts. Its text alone would be incomplete.
  const found = data.filter(({ name, attachments }) => contains(name, query) && attachments.length === 0);
  return found.slice(0, SHOWN).map(({ id, name, text }) => ({
    id,
    title: name,
    detail: text.slice(0, DETAIL),
    insert: withVariables(text, known),
  }));
}

function useKnownVariables({ participants }: Conversation): Record<string, string | undefined> {
  const customer = participants.find(({ role, left_at }) => role === 'customer' && left_at === null);
  const people = usePeople(customer === undefined ? [] : [customer.user_id]);
  const [person] = people.values();
  return { 'user.display_name': person?.display_name, 'user.username': person?.username ?? undefined };
}

function useMembers(query: string | undefined): readonly Suggestion[] {
  const { data = [] } = useQuery({ ...membersQuery, enabled: query !== undefined });
  if (query === undefined) return [];
  const found = data.filter(
    ({ display_name, username }) => contains(display_name, query) || contains(username ?? '', query),
  );
  return found.slice(0, SHOWN).map(({ id, display_name, username }) => ({
    id,
    title: display_name,
    detail: username ?? '',
    insert: `@${username ?? display_name} `,
  }));
}

const contains = (name: string, part: string): boolean =>
  name.toLocaleLowerCase().includes(part.toLocaleLowerCase());
