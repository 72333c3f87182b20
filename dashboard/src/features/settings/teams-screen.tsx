import { useInfiniteQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { usePeople } from '../../api/people';
import { usePermissions } from '../../api/session';
import type { Team } from '../../api/team-paths';
import { RecordList } from '../../kit/record-list';
import { SettingsPage } from './settings-page';
import { TeamDialog } from './team-dialog';
import { messages as t } from './team-messages';
import { teamListQuery, useDeleteTeam } from './team-queries';

/** Maximum number of member names shown per team. */
const MAX_NAMES = 3;

export function TeamsScreen() {
  const { canManage } = usePermissions();
  return (
    <RecordList<Team>
      page={SettingsPage}
      canChange={canManage}
      list={useInfiniteQuery(teamListQuery)}
      icon={UsersRound}
      t={t}
      columns={[
        { title: t('name'), cell: ({ name }) => <span className="font-medium">{name}</span> },
        { title: t('members'), cell: (team) => <MemberNames team={team} /> },
      ]}
      dialog={(team, close) => <TeamDialog {...(team !== undefined && { team })} onClose={close} />}
      useRemove={useDeleteTeam}
    />
  );
}

function MemberNames({ team: { member_ids: ids } }: { readonly team: Team }) {
  const people = usePeople(ids.slice(0, MAX_NAMES));
  if (ids.length === 0) return <span className="text-muted">{t('noMembers')}</span>;
  const names = [...people.values()].map(({ display_name: name }) => name).join(', ');
  const count = ids.length - MAX_NAMES;
  return <span className="break-words">{count > 0 ? t('andMore', { names, count }) : names}</span>;
}
