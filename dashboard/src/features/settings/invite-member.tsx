import { type FormEvent, useState } from 'react';
import { ApiError, explain } from '../../api/errors';
import type { Role } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { Checkbox } from '../../kit/checkbox';
import { CopyBox } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { Select } from '../../kit/select';
import { messages as t } from './messages';
import { useInvite } from './queries';
import { seesAll } from './restrict-member';
import { messages as restrict } from './restrict-messages';

const FORM = 'invite';
const ROLES: Readonly<Record<Role, string>> = {
  member: t('role_member'),
  viewer: t('role_viewer'),
  admin: t('role_admin'),
  owner: t('role_owner'),
};

/** Invites a member, and shows the link with which they set a password. */
export function InviteMember({ onClose }: { readonly onClose: () => void }) {
  const invite = useInvite();
  const link = invite.data?.invite_url ?? undefined;
  if (link !== undefined) return <InvitationLink link={link} onClose={onClose} />;
  return <InviteDialog invite={invite} onClose={onClose} />;
}

interface InviteDialogProps {
  readonly invite: ReturnType<typeof useInvite>;
  readonly onClose: () => void;
}

function InviteDialog({ invite, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [isRestricted, setRestricted] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const restriction = isRestricted && !seesAll(role) && { own_teams_only: true as const };
    invite.mutate({ kind: 'member', email: email.trim(), role, ...restriction });
  };
  const refused = invite.error instanceof ApiError ? invite.error.fields.email : undefined;
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={invite.isPending}>
        {t('invite')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('inviteTitle')} description={t('inviteHelp')} actions={actions}>
      <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Field label={t('email')} error={refused}>
          <Input
            type="email"
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label={t('role')} help={t(`roleHelp_${role}`)}>
          <Select value={role} onChange={setRole} options={ROLES} />
        </Field>
        {!seesAll(role) && <Restriction isChosen={isRestricted} onChange={setRestricted} />}
        {invite.isError && refused === undefined && (
          <p role="alert" className="text-danger text-sm">
            {explain(invite.error).advice}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface RestrictionProps {
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

/** Set in the invitation, so that the member never has more access, even briefly. */
function Restriction({ isChosen, onChange }: RestrictionProps) {
  return (
    <div className="flex flex-col gap-1">
      <Checkbox isChecked={isChosen} onChange={onChange}>
        {restrict('inviteRestricted')}
      </Checkbox>
      {isChosen && <p className="text-muted text-sm">{restrict('inviteHelp')}</p>}
    </div>
  );
}

function InvitationLink({ link, onClose }: { readonly link: string; readonly onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('invitedTitle')}
      description={t('invitedHelp')}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <CopyBox label={t('link')} text={link} />
    </Dialog>
  );
}
