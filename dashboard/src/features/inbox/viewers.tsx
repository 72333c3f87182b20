import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, must } from '../../api/client';
import { usePeople } from '../../api/people';
import { Avatar } from '../../kit/avatar';
import { Tooltip } from '../../kit/tooltip';
import { messages as t } from './viewer-messages';

/** Must be less than the 25 seconds after which the service removes a viewer. */
const REPEAT_MS = 10_000;
const SHOWN = 3;

/** The other members who have the conversation open. */
export function Viewers({ conversationId }: { readonly conversationId: string }) {
  const ids = useViewerIds(conversationId);
  const people = usePeople(ids);
  const viewers = ids.flatMap((id) => people.get(id) ?? []);
  if (viewers.length === 0) return null;
  const names = viewers.map(({ display_name }) => display_name);
  const text = t('viewing', { names: names.join(', '), count: names.length });
  return (
    <Tooltip text={text}>
      <button type="button" aria-label={text} className="flex shrink-0 items-center rounded-full">
        {viewers.slice(0, SHOWN).map(({ id, display_name: name }) => (
          <span key={id} className="-ml-1.5 rounded-full border-2 border-surface first:ml-0">
            <Avatar name={name} size={22} />
          </span>
        ))}
        {names.length > SHOWN && <span className="ml-1 text-muted text-xs">+{names.length - SHOWN}</span>}
      </button>
    </Tooltip>
  );
}

/** Reports that the conversation is open while the page is visible, and loads the other viewers. */
function useViewerIds(id: string): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['viewers', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      return (await must(api.PUT('/conversations/{id}/viewing', { params, signal }))).user_ids;
    },
    refetchInterval: REPEAT_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  useEffect(() => {
    const stop = () =>
      void api.DELETE('/conversations/{id}/viewing', { params: { path: { id } } }).catch(() => undefined);
    return stop;
  }, [id]);
  return data;
}
