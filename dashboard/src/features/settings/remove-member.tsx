import { explain } from '../../api/errors';
import type { Member } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { useRemoveMember } from './queries';

interface RemoveMemberProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** Removing erases the member and cannot be undone, so the dialog states the consequences and asks for confirmation. */
export function RemoveMember({ member, onClose }: RemoveMemberProps) {
  const { display_name: name } = member.user;
  const remove = useRemoveMember(member.id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast(t('wasRemoved', { name }));
        onClose();
      },
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="destructive" onClick={confirm} disabled={remove.isPending}>
        {t('remove')}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('removeTitle', { name })}
      description={t('removeHelp')}
      actions={actions}
    >
      {remove.isError && (
        <p role="alert" className="text-danger text-sm">
          {explain(remove.error).advice}
        </p>
      )}
    </Dialog>
  );
}
