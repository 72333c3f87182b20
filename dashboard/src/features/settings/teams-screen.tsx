import { useInfiniteQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { usePeople } from '../../api/people';
import { usePermissions } from '../../api/session';
import type { Team } from '../../api/team-paths';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Table } from '../../kit/table';
import { SettingsPage } from './settings-page';
import { TeamDialog } from './team-dialog';
import { messages as t } from './team-messages';
import { teamListQuery, useDeleteTeam } from './team-queries';

/** How many members of a team are shown by name. */
const MOST_NAMES = 3;

export function TeamsScreen() {
  const { canManage } = usePermissions();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t('new')}
    </Button>
  );
  return (
    <SettingsPage title={t('title')} description={t('help')} actions={canManage ? create : undefined}>
      <Teams canManage={canManage} />
      {isCreating && <TeamDialog onClose={() => setCreating(false)} />}
    </SettingsPage>
  );
}

function Teams({ canManage }: { readonly canManage: boolean }) {
  const teams = useInfiniteQuery(teamListQuery);
  if (teams.isPending) return <SkeletonList rows={4} />;
  if (teams.isError) return <ErrorState error={teams.error} onRetry={() => void teams.refetch()} />;
  const rows = teams.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={UsersRound} title={t('none')}>
        {t('noneHelp')}
      </EmptyState>
    );
  const columns = [
    { title: t('name'), cell: ({ name }: Team) => <span className="font-medium">{name}</span> },
    { title: t('members'), cell: (team: Team) => <MemberNames team={team} /> },
  ];
  const actions = { title: t('actions'), cell: (team: Team) => <Actions team={team} /> };
  return (
    <>
      <Table
        label={t('title')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={canManage ? [...columns, actions] : columns}
      />
      {teams.hasNextPage && (
        <Button className="self-center" onClick={() => void teams.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function MemberNames({ team: { member_ids: ids } }: { readonly team: Team }) {
  const people = usePeople(ids.slice(0, MOST_NAMES));
  if (ids.length === 0) return <span className="text-muted">{t('noMembers')}</span>;
  const names = [...people.values()].map(({ display_name: name }) => name).join(', ');
  const count = ids.length - MOST_NAMES;
  return <span className="break-words">{count > 0 ? t('andMore', { names, count }) : names}</span>;
}

function Actions({ team }: { readonly team: Team }) {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const { name } = team;
  return (
    <div className="flex justify-end gap-1">
      <Button size="icon" kind="quiet" aria-label={t('editOf', { name })} onClick={() => setOpen('edit')}>
        <Pencil aria-hidden className="size-4" />
      </Button>
      <Button size="icon" kind="quiet" aria-label={t('deleteOf', { name })} onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden className="size-4" />
      </Button>
      {open === 'edit' && <TeamDialog team={team} onClose={close} />}
      {open === 'delete' && <DeleteTeam team={team} onClose={close} />}
    </div>
  );
}

function DeleteTeam({ team, onClose }: { readonly team: Team; readonly onClose: () => void }) {
  const remove = useDeleteTeam(team.id);
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: team.name })}
      description={t('deleteHelp')}
      action={t('delete')}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
