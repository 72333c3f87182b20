import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useSession } from '../../api/session';
import type { Team } from '../../api/team-paths';
import { teamsQuery } from '../../api/teams';
import { Button } from '../../kit/button';
import { Input } from '../../kit/field';
import { platformName } from '../../kit/platform';
import { Select } from '../../kit/select';
import { LabelChoices } from './label-choices';
import { messages as t } from './messages';
import { connectionsQuery, membersQuery } from './queries';
import { type InboxSearch, type Selection, STATUSES } from './views';

const ANY = '';

interface FiltersProps {
  readonly selection: Selection;
  readonly onChange: (change: InboxSearch) => void;
}

/** Filters a list by status, platform, assignee, label and team. The URL holds the filters. */
export function ListFilters({ selection, onChange }: FiltersProps) {
  const { status, platform, assignee, label, team } = selection;
  const connections = useQuery(connectionsQuery).data ?? [];
  const platforms = [...new Set(connections.map(({ platform }) => platform))].sort();
  const members = useQuery(membersQuery).data ?? [];
  const isNarrow = [platform, assignee, label, team].some((each) => each !== undefined);
  return (
    <div className="grid grid-cols-2 gap-2">
      <Select
        label={t('status')}
        value={status}
        onChange={(next) => onChange({ status: next })}
        options={statuses()}
      />
      <Select
        label={t('platform')}
        value={platform ?? ANY}
        onChange={(next) => onChange({ platform: next })}
        options={withAny(
          t('anyPlatform'),
          platforms.map((each) => [each, platformName(each)]),
          platform,
        )}
      />
      <Select
        label={t('assignee')}
        value={assignee ?? ANY}
        onChange={(next) => onChange({ assignee: next })}
        options={withAny(
          t('anyAssignee'),
          members.map(({ id, display_name }) => [id, display_name]),
          assignee,
        )}
      />
      <LabelFilter label={label ?? ''} onChange={(next) => onChange({ label: next })} />
      <TeamFilter team={team} onChange={(next) => onChange({ team: next })} />
      {isNarrow && (
        <Button
          size="sm"
          kind="quiet"
          className="col-span-2"
          onClick={() => onChange({ platform: ANY, assignee: ANY, label: ANY, team: ANY })}
        >
          {t('clearFilters')}
        </Button>
      )}
    </div>
  );
}

const statuses = () =>
  Object.fromEntries(STATUSES.map((status) => [status, t(status)])) as Record<Selection['status'], string>;

/** A value from the URL remains an option even if no record has it. */
function withAny(
  any: string,
  entries: readonly (readonly [string, string])[],
  chosen: string | undefined,
): Record<string, string> {
  return { [ANY]: any, ...(chosen !== undefined && { [chosen]: chosen }), ...Object.fromEntries(entries) };
}

interface TeamFilterProps {
  readonly team: string | undefined;
  readonly onChange: (team: string) => void;
}

/** The teams of the user come first. Hidden if there are no teams. */
function TeamFilter({ team, onChange }: TeamFilterProps) {
  const { user } = useSession();
  const teams = (useQuery(teamsQuery).data ?? []).filter(({ name }) => name !== ANY);
  if (teams.length === 0 && team === undefined) return null;
  const isOwn = ({ member_ids: ids }: Team) => ids.includes(user.id);
  const sorted = [...teams.filter(isOwn), ...teams.filter((each) => !isOwn(each))];
  return (
    <Select
      className="col-span-2"
      label={t('team')}
      value={team ?? ANY}
      onChange={onChange}
      options={withAny(
        t('anyTeam'),
        sorted.map(({ name }) => [name, name]),
        team,
      )}
    />
  );
}

interface LabelFilterProps {
  readonly label: string;
  readonly onChange: (label: string) => void;
}

/** Applies the filter on submit, not on each keystroke. */
function LabelFilter({ label, onChange }: LabelFilterProps) {
  const [text, setText] = useState(label);
  const choices = useId();
  useEffect(() => setText(label), [label]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
      }}
    >
      <Input
        aria-label={t('label')}
        placeholder={t('anyLabel')}
        maxLength={256}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() !== label && onChange(text.trim())}
        list={choices}
      />
      <LabelChoices id={choices} />
    </form>
  );
}
