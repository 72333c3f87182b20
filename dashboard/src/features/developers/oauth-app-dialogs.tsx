import type { OAuthApp } from '../../api/developer-paths';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { showToast } from '../../kit/toast';
import { AppCredentials } from './oauth-app-credentials';
import { AppForm } from './oauth-app-form';
import { messages as t } from './oauth-app-messages';
import { useChangeApp, useCreateApp, useDeleteApp, useRotateAppSecret } from './oauth-app-queries';

const EMPTY = { name: '', type: 'confidential', redirect_uris: [], scopes: ['user.read'] } as const;

/** Creates an app, and shows its secret once. */
export function CreateApp({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateApp();
  if (create.data !== undefined) return <AppCredentials app={create.data} onClose={onClose} />;
  return (
    <AppForm
      title={t('create')}
      description={t('createHelp')}
      action={t('create')}
      initial={{ ...EMPTY, redirect_uris: [], scopes: [...EMPTY.scopes] }}
      isNew
      isPending={create.isPending}
      error={create.error}
      onSubmit={(app) => create.mutate(app)}
      onClose={onClose}
    />
  );
}

interface AppDialogProps {
  readonly app: OAuthApp;
  readonly onClose: () => void;
}

export function EditApp({ app, onClose }: AppDialogProps) {
  const change = useChangeApp(app.id);
  const onSuccess = () => {
    showToast(t('saved'));
    onClose();
  };
  return (
    <AppForm
      title={t('editTitle', { name: app.name })}
      description={t('editHelp')}
      action={t('save')}
      initial={app}
      isNew={false}
      isPending={change.isPending}
      error={change.error}
      onSubmit={({ name, redirect_uris, scopes }) =>
        change.mutate({ name, redirect_uris, scopes }, { onSuccess })
      }
      onClose={onClose}
    />
  );
}

export function RotateAppSecret({ app, onClose }: AppDialogProps) {
  const rotate = useRotateAppSecret(app.id);
  if (rotate.data !== undefined) return <AppCredentials app={rotate.data} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('rotateTitle', { name: app.name })}
      description={t('rotateHelp')}
      action={t('rotate')}
      isDanger
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(undefined)}
      onClose={onClose}
    />
  );
}

export function DeleteApp({ app, onClose }: AppDialogProps) {
  const remove = useDeleteApp(app.id);
  const onSuccess = () => {
    showToast(t('wasDeleted', { name: app.name }));
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: app.name })}
      description={t('deleteHelp')}
      action={t('delete')}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess })}
      onClose={onClose}
    />
  );
}
