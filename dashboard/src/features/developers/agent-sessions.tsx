import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { AgentSession } from '../../api/developer-paths';
import { shortTime } from '../../i18n/time';
import { Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { Table } from '../../kit/table';
import { showError, showToast } from '../../kit/toast';
import { messages as t } from './agent-messages';

const agentSessionsQuery = queryOptions({
  queryKey: ['agent-sessions'],
  queryFn: async ({ signal }) => (await must(api.GET('/agent-sessions', { signal }))).data,
});

/** The agent sessions of the last 7 days. Hidden if there are none. */
export function AgentSessions() {
  const { data = [] } = useQuery(agentSessionsQuery);
  if (data.length === 0) return null;
  return (
    <section aria-label={t('title')} className="mt-4 flex flex-col gap-2">
      <h2 className="font-semibold">{t('title')}</h2>
      <p className="text-muted text-sm">{t('help')}</p>
      <Table
        label={t('title')}
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          { title: t('agent'), cell: ({ name }) => <span className="untrusted font-medium">{name}</span> },
          { title: t('hasRead'), cell: (session) => <HasRead session={session} /> },
          {
            title: t('thisHour'),
            isMinor: true,
            cell: ({ calls, writes }) => t('budget', { calls, writes }),
          },
          { title: t('used'), isMinor: true, cell: ({ used_at }) => shortTime(used_at) },
          { title: '', isAction: true, cell: (session) => <Release session={session} /> },
        ]}
      />
    </section>
  );
}

function HasRead({ session }: { readonly session: AgentSession }) {
  const { conversations_read: count, read_widely: isWide } = session;
  if (count === 0 && !isWide) return <Status tone="success">{t('nothing')}</Status>;
  return <Status tone="warning">{t(isWide ? 'conversationsAndMore' : 'conversations', { count })}</Status>;
}

function Release({ session: { id, name, ...session } }: { readonly session: AgentSession }) {
  const queries = useQueryClient();
  const release = useMutation({
    mutationFn: () => must(api.POST('/agent-sessions/{id}/release', { params: { path: { id } } })),
    onSuccess: () => showToast(t('didRelease', { name })),
    onError: showError,
    onSettled: () => queries.invalidateQueries({ queryKey: agentSessionsQuery.queryKey }),
  });
  if (session.conversations_read === 0 && !session.read_widely) return null;
  return (
    <div className="flex justify-end">
      <Button
        size="sm"
        aria-label={t('releaseOf', { name })}
        disabled={release.isPending}
        onClick={() => release.mutate()}
      >
        {t('release')}
      </Button>
    </div>
  );
}
