import type { Member } from '../../api/session-paths';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { showToast } from '../../kit/toast';
import { messages as t } from './second-step-messages';
import { useResetSecondStep } from './second-step-queries';

interface ResetSecondStepProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** For a member who has lost the authenticator app and the recovery codes. */
export function ResetSecondStep({ member, onClose }: ResetSecondStepProps) {
  const { display_name: name } = member.user;
  const reset = useResetSecondStep(member.id);
  const confirm = () =>
    reset.mutate(undefined, {
      onSuccess: () => {
        showToast(t('wasReset', { name }));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t('resetTitle', { name })}
      description={t('resetHelp')}
      action={t('turnOff')}
      isDanger
      isPending={reset.isPending}
      error={reset.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
