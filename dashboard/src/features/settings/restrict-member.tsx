import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import type { Member, Role } from '../../api/session-paths';
import { teamsQuery } from '../../api/teams';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { MenuItem } from '../../kit/menu';
import { showToast } from '../../kit/toast';
import { useChangeMember } from './queries';
import { messages as t } from './restrict-messages';

/** Owners and admins see all conversations. */
export const seesAll = (role: Role): boolean => role === 'owner' || role === 'admin';

/** Whether the member sees only the conversations of their teams. */
export function isRestricted({ role, own_teams_only: isChosen }: Member): boolean {
  return isChosen === true && !seesAll(role);
}

interface RestrictItemProps {
  readonly member: Member;
  readonly onSelect: () => void;
}

/** Restricts a member, or removes the restriction. */
export function RestrictItem({ member, onSelect }: RestrictItemProps) {
  if (seesAll(member.role)) return null;
  const is = isRestricted(member);
  return (
    <MenuItem icon={is ? <Eye aria-hidden /> : <EyeOff aria-hidden />} onSelect={onSelect}>
      {t(is ? 'lift' : 'restrict')}
    </MenuItem>
  );
}

interface RestrictMemberProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** Asks for confirmation before the access of a member changes, and states the consequences. */
export function RestrictMember({ member, onClose }: RestrictMemberProps) {
  const { display_name: name } = member.user;
  const is = isRestricted(member);
  const change = useChangeMember(member.id);
  const confirm = () =>
    change.mutate(
      { own_teams_only: !is },
      {
        onSuccess: () => {
          showToast(t(is ? 'lifted' : 'restricted', { name }));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={t(is ? 'liftTitle' : 'restrictTitle', { name })}
      description={is ? t('liftHelp') : <Consequences memberId={member.id} />}
      action={t(is ? 'lift' : 'restrict')}
      isPending={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

function Consequences({ memberId }: { readonly memberId: string }) {
  const { data } = useQuery(teamsQuery);
  const names = data?.filter(({ member_ids: ids }) => ids.includes(memberId)).map(({ name }) => name);
  return (
    <>
      <span className="block">{t('restrictHelp')}</span>
      {names !== undefined && (
        <span className="untrusted mt-2 block font-medium text-text">
          {names.length === 0 ? t('inNoTeam') : t('inTeams', { teams: names.join(', ') })}
        </span>
      )}
    </>
  );
}
