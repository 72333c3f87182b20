import { ConfirmDialog } from '../../kit/confirm-dialog';
import { showToast } from '../../kit/toast';
import { messages as t } from './action-messages';
import { useRemoveMessage } from './message-changes';
import type { Message } from './message-pages';

/** Asks for confirmation before a message is deleted. */
export function RemoveMessage({
  message,
  onClose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
}) {
  const remove = useRemoveMessage(message);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast(t('wasRemoved'));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t('removeTitle')}
      description={t(message.direction === 'internal' ? 'removeNoteHelp' : 'removeHelp')}
      action={t('remove')}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
