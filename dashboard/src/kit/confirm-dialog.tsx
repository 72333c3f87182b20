import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { Button } from './button';
import { Dialog } from './dialog';
import { messages as t } from './messages';

interface ConfirmDialogProps {
  readonly title: string;
  /** The consequences. */
  readonly description: ReactNode;
  /** Label of the confirm button. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation of an important action, states its consequences, and shows the error if it fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, action, isDanger = false, isPending, error, onConfirm, onClose } = props;
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind={isDanger ? 'destructive' : 'primary'} onClick={onConfirm} disabled={isPending}>
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
