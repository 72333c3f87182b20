import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, must } from '../../../api/client';
import type { Draft, LinkPreview } from '../../../api/inbox-paths';
import { useSettled } from '../../../kit/settled';

const PAUSE_MS = 300;
/** A preview of an outdated text is not needed. */
const KEPT_MS = 10_000;

const previewQuery = (conversationId: string, draft: Draft) =>
  queryOptions({
    queryKey: ['preview', conversationId, draft],
    queryFn: async ({ signal }) => {
      const params = { path: { id: conversationId } };
      return (await must(api.POST('/conversations/{id}/preview', { params, body: draft, signal }))).links;
    },
    gcTime: KEPT_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** The preview of a draft on each platform, loaded after the user stops typing. Undefined for an empty draft. */
export function usePreview(conversationId: string, draft: Draft): readonly LinkPreview[] {
  const settled = useSettled(draft, PAUSE_MS);
  const isEmpty = ({ text, files }: Draft) => text.trim() === '' && files.length === 0;
  const { data = [] } = useQuery({ ...previewQuery(conversationId, settled), enabled: !isEmpty(settled) });
  return isEmpty(draft) ? [] : data;
}
