import { useQuery } from '@tanstack/react-query';
import { usePeople } from '../../../api/people';
import { teamsQuery } from '../../../api/teams';
import { Select } from '../../../kit/select';
import { useChangeConversation } from '../conversation-actions';
import { membersQuery } from '../queries';
import type { Conversation } from '../views';
import { messages as t } from './messages';

const UNASSIGNED = '';
const NO_TEAM = '';
const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const;

interface AttributesProps {
  readonly conversation: Conversation;
  readonly canWrite: boolean;
}

/** The assignee, the team and the priority. */
export function Attributes({ conversation, canWrite }: AttributesProps) {
  const change = useChangeConversation(conversation);
  const assignees = useAssignees(conversation.assignee_id);
  const { assignee_id: assignee, priority } = conversation;
  const names = Object.fromEntries(PRIORITIES.map((each) => [each, t(each)])) as Record<
    Conversation['priority'],
    string
  >;
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 text-sm">
      <dt className="font-semibold">{t('assignee')}</dt>
      <dd className="min-w-0">
        {canWrite ? (
          <Select
            label={t('assignee')}
            value={assignee ?? UNASSIGNED}
            options={assignees}
            onChange={(id) => change({ assignee_id: id === UNASSIGNED ? null : id }, t('didAssign'))}
          />
        ) : (
          <span className="untrusted">{assignees[assignee ?? UNASSIGNED]}</span>
        )}
      </dd>
      <TeamRow conversation={conversation} canWrite={canWrite} />
      <dt className="font-semibold">{t('priority')}</dt>
      <dd className="min-w-0">
        {canWrite ? (
          <Select
            label={t('priority')}
            value={priority}
            options={names}
            onChange={(next) => change({ priority: next }, t('didPrioritise'))}
          />
        ) : (
          names[priority]
        )}
      </dd>
    </dl>
  );
}

/** The team. Hidden if there are no teams. The current team is always an option, even if the list is longer than one page. */
function TeamRow({ conversation, canWrite }: AttributesProps) {
  const change = useChangeConversation(conversation);
  const teams = (useQuery(teamsQuery).data ?? []).filter(({ name }) => name !== NO_TEAM);
  const { team } = conversation;
  if (teams.length === 0 && team === null) return null;
  const names = [...teams.map(({ name }) => name), ...(team === null || team === NO_TEAM ? [] : [team])];
  return (
    <>
      <dt className="font-semibold">{t('team')}</dt>
      <dd className="min-w-0">
        {canWrite ? (
          <Select
            label={t('team')}
            value={team ?? NO_TEAM}
            options={{ [NO_TEAM]: t('noTeam'), ...Object.fromEntries(names.map((name) => [name, name])) }}
            onChange={(name) => change({ team: name === NO_TEAM ? null : name }, t('didTeam'))}
          />
        ) : (
          <span className="untrusted">{team || t('noTeam')}</span>
        )}
      </dd>
    </>
  );
}

/** The members by name. The current assignee is always an option, even if the list is longer than one page. */
function useAssignees(assigneeId: string | null): Record<string, string> {
  const members = useQuery(membersQuery).data ?? [];
  const people = usePeople(assigneeId === null ? [] : [assigneeId]);
  const known = [...members, ...people.values()];
  return {
    [UNASSIGNED]: t('unassigned'),
    ...Object.fromEntries(known.map(({ id, display_name }) => [id, display_name])),
  };
}
