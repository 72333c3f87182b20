import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, must } from '../../../api/client';
import type { Draft, LinkPreview } from '../../../api/inbox-paths';

const PAUSE_MS = 300;
/** A preview of a text that was changed since is of no use. */
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

/** What the draft becomes on each platform, once the person pauses. Nothing for an empty draft. */
export function usePreview(conversationId: string, draft: Draft): readonly LinkPreview[] {
  const settled = useSettled(draft);
  const isEmpty = ({ text, files }: Draft) => text.trim() === '' && files.length === 0;
  const { data = [] } = useQuery({ ...previewQuery(conversationId, settled), enabled: !isEmpty(settled) });
  return isEmpty(draft) ? [] : data;
}

/** The value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const content = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(content) as T), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [content]);
  return settled;
}
