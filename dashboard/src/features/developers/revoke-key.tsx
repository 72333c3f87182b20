import { explain } from '../../api/errors';
import type { ApiKey } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { useRevokeKey } from './queries';

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Revoking cannot be undone, so the dialog states the consequences and asks for confirmation. */
export function RevokeKey({ apiKey: { id, name }, onClose }: RevokeKeyProps) {
  const revoke = useRevokeKey(id);
  const confirm = () =>
    revoke.mutate(undefined, {
      onSuccess: () => {
        showToast(t('wasRevoked', { name }));
        onClose();
      },
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="destructive" onClick={confirm} disabled={revoke.isPending}>
        {t('revoke')}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('revokeTitle', { name })}
      description={t('revokeHelp')}
      actions={actions}
    >
      {revoke.isError && (
        <p role="alert" className="text-danger text-sm">
          {explain(revoke.error).advice}
        </p>
      )}
    </Dialog>
  );
}
