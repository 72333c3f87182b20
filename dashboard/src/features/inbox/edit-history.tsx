import { queryOptions, useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { api, must } from '../../api/client';
import { fullTime } from '../../i18n/time';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Popover } from '../../kit/popover';
import { messages as t } from './history-messages';
import type { Message } from './message-pages';

/** The key includes the revision, so that an edit triggers a new request. */
const versionsQuery = ({ id, revision }: Message) =>
  queryOptions({
    queryKey: ['message', id, 'versions', revision],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      return (await must(api.GET('/messages/{id}/versions', { params, signal }))).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Marks an edited message. A click shows the earlier versions. */
export function EditHistory({ message }: { readonly message: Message }) {
  if (message.edited_at === null) return null;
  const trigger = (
    <button
      type="button"
      title={fullTime(message.edited_at)}
      className="inline-flex items-center gap-1 rounded-sm text-muted touch:-my-3 touch:min-h-10 text-xs hover:text-text hover:underline"
    >
      <Pencil aria-hidden className="size-3" />
      {t('edited')}
    </button>
  );
  return (
    <Popover trigger={trigger} title={t('title')}>
      <Versions message={message} />
    </Popover>
  );
}

function Versions({ message }: { readonly message: Message }) {
  const { data, error, refetch } = useQuery(versionsQuery(message));
  if (data === undefined && error !== null)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={1} />;
  if (data.length === 0) return <p className="text-muted text-sm">{t('none')}</p>;
  return (
    <ol className="flex flex-col gap-3">
      {data.map(({ revision, text, created_at }) => (
        <li key={revision}>
          <time dateTime={created_at} className="text-muted text-xs">
            {fullTime(created_at)}
          </time>
          <p className="untrusted max-h-48 overflow-y-auto whitespace-pre-wrap text-sm">{text}</p>
        </li>
      ))}
    </ol>
  );
}
