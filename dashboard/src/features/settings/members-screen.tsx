import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MoreHorizontal, PauseCircle, Play, ShieldOff, Trash2, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { usePermissions, useSession } from '../../api/session';
import type { Member, Role } from '../../api/session-paths';
import { shortTime } from '../../i18n/time';
import { Avatar } from '../../kit/avatar';
import { Badge, Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Menu, MenuItem } from '../../kit/menu';
import { Select } from '../../kit/select';
import { Table } from '../../kit/table';
import { showError, showToast } from '../../kit/toast';
import { InviteMember } from './invite-member';
import { messages as t } from './messages';
import { membersQuery, useChangeMember } from './queries';
import { RemoveMember } from './remove-member';
import { ResetSecondStep } from './reset-second-step';
import { isRestricted, RestrictItem, RestrictMember } from './restrict-member';
import { messages as restriction } from './restrict-messages';
import { messages as secondStep } from './second-step-messages';
import { secondStepOfQuery } from './second-step-queries';
import { SettingsPage } from './settings-page';

export function MembersScreen() {
  const { canManage } = usePermissions();
  const [isInviting, setInviting] = useState(false);
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      <UserPlus aria-hidden className="size-4" />
      {t('invite')}
    </Button>
  );
  return (
    <SettingsPage
      title={t('members')}
      description={t('membersHelp')}
      actions={canManage ? invite : undefined}
    >
      {canManage ? <Members /> : <EmptyState icon={Users} title={t('managersOnly')} />}
      {isInviting && <InviteMember onClose={() => setInviting(false)} />}
    </SettingsPage>
  );
}

function Members() {
  const members = useInfiniteQuery(membersQuery);
  const [removed, setRemoved] = useState<Member>();
  const [reset, setReset] = useState<Member>();
  const [restricted, setRestricted] = useState<Member>();
  if (members.isPending) return <SkeletonList rows={4} />;
  if (members.isError) return <ErrorState error={members.error} onRetry={() => void members.refetch()} />;
  return (
    <>
      <Table
        label={t('members')}
        rows={members.data.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        columns={[
          { title: t('name'), cell: (member) => <Name member={member} /> },
          { title: t('role'), cell: (member) => <MemberRole member={member} /> },
          { title: t('state'), isMinor: true, cell: (member) => <State member={member} /> },
          { title: t('joined'), isMinor: true, cell: ({ created_at }) => shortTime(created_at) },
          {
            title: '',
            isAction: true,
            cell: (member) => (
              <Actions member={member} onRestrict={setRestricted} onReset={setReset} onRemove={setRemoved} />
            ),
          },
        ]}
      />
      {members.hasNextPage && (
        <Button className="self-center" onClick={() => void members.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {restricted !== undefined && (
        <RestrictMember member={restricted} onClose={() => setRestricted(undefined)} />
      )}
      {reset !== undefined && <ResetSecondStep member={reset} onClose={() => setReset(undefined)} />}
      {removed !== undefined && <RemoveMember member={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

function Name({ member }: { readonly member: Member }) {
  const { user } = member;
  const session = useSession();
  return (
    <div className="flex min-w-0 max-w-32 items-center gap-2.5 sm:max-w-none">
      <span className="max-sm:hidden">
        <Avatar name={user.display_name} />
      </span>
      <span className="min-w-0">
        <span className="flex items-center gap-1.5">
          <span className="truncate font-medium">{user.display_name}</span>
          {user.id === session.user.id && <Badge>{t('you')}</Badge>}
          {user.kind === 'bot' && <Badge>{t('bot')}</Badge>}
        </span>
        <span className="block truncate text-muted text-xs">{user.email || `@${user.username}`}</span>
        {isRestricted(member) && <Badge>{restriction('ownTeams')}</Badge>}
        {user.status !== 'active' && (
          <span className="md:hidden">
            <State member={member} />
          </span>
        )}
      </span>
    </div>
  );
}

const ROLES: Readonly<Record<Role, string>> = {
  owner: t('role_owner'),
  admin: t('role_admin'),
  member: t('role_member'),
  viewer: t('role_viewer'),
};

function MemberRole({ member: { id, role, user } }: { readonly member: Member }) {
  const change = useChangeMember(id);
  const choose = (next: Role) => change.mutate({ role: next }, { onError: showError });
  return (
    <Select
      className="max-w-40"
      label={t('roleOf', { name: user.display_name })}
      value={role}
      onChange={choose}
      options={ROLES}
    />
  );
}

function State({ member: { user } }: { readonly member: Member }) {
  if (user.status === 'active') return <Status tone="success">{t('active')}</Status>;
  if (user.status === 'suspended') return <Status tone="warning">{t('suspended')}</Status>;
  return <Status tone="info">{t('invited')}</Status>;
}

interface ActionsProps {
  readonly member: Member;
  readonly onRestrict: (member: Member) => void;
  readonly onReset: (member: Member) => void;
  readonly onRemove: (member: Member) => void;
}

function Actions({ member, onRestrict, onReset, onRemove }: ActionsProps) {
  const { user: me } = useSession();
  const change = useChangeMember(member.id);
  const { display_name: name, status } = member.user;
  if (member.user.id === me.id) return null;
  const isSuspended = status === 'suspended';
  const toggle = () =>
    change.mutate(
      { status: isSuspended ? 'active' : 'suspended' },
      {
        onError: showError,
        onSuccess: () => showToast(t(isSuspended ? 'wasActivated' : 'wasSuspended', { name })),
      },
    );
  const trigger = (
    <Button kind="quiet" size="icon" aria-label={t('actionsOf', { name })}>
      <MoreHorizontal aria-hidden className="size-4" />
    </Button>
  );
  return (
    <div className="flex justify-end">
      <Menu trigger={trigger}>
        {(status === 'active' || isSuspended) && (
          <MenuItem icon={isSuspended ? <Play aria-hidden /> : <PauseCircle aria-hidden />} onSelect={toggle}>
            {isSuspended ? t('activate') : t('suspend')}
          </MenuItem>
        )}
        <RestrictItem member={member} onSelect={() => onRestrict(member)} />
        <ResetItem member={member} onSelect={() => onReset(member)} />
        <MenuItem icon={<Trash2 aria-hidden />} isDanger onSelect={() => onRemove(member)}>
          {t('remove')}
        </MenuItem>
      </Menu>
    </div>
  );
}

/** For a member whose sign-in requires a code. The state is loaded when the menu opens. */
function ResetItem({ member, onSelect }: { readonly member: Member; readonly onSelect: () => void }) {
  const isPerson = member.user.kind === 'member';
  const { data } = useQuery({ ...secondStepOfQuery(member.id), enabled: isPerson });
  if (data?.enabled !== true) return null;
  return (
    <MenuItem icon={<ShieldOff aria-hidden />} onSelect={onSelect}>
      {secondStep('reset')}
    </MenuItem>
  );
}
