import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { Button } from './button';
import { Dialog } from './dialog';
import { messages as t } from './messages';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly description: ReactNode;
  /** The name of the button that does it. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that matters, with its consequences, and shows why it failed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, action, isDanger = false, isPending, error, onConfirm, onClose } = props;
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind={isDanger ? 'danger' : 'primary'} onClick={onConfirm} disabled={isPending}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description} actions={actions}>
      {error !== null && error !== undefined && (
        <p role="alert" className="text-danger text-sm">
          {explain(error).advice}
        </p>
      )}
    </Dialog>
  );
}
