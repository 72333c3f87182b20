import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../../kit/confirm-dialog';
import { messages as t } from './messages';

interface LeavingProps {
  /** Whether leaving would lose data. */
  readonly isUnsaved: boolean;
}

interface Step {
  readonly current: { readonly pathname: string };
  readonly next: { readonly pathname: string };
}

const leavesScreen = ({ current, next }: Step): boolean => current.pathname !== next.pathname;

/**
 * Asks for confirmation before the user leaves the screen with unsaved changes. The browser asks if the page itself is closed.
 */
export function Leaving({ isUnsaved }: LeavingProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: leavesScreen,
    disabled: !isUnsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={t('leaveTitle')}
      description={t('leaveHelp')}
      action={t('leave')}
      isDanger
      isPending={false}
      error={null}
      onConfirm={proceed}
      onClose={reset}
    />
  );
}
