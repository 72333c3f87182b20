import type { OAuthApp } from '../../api/developer-paths';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { messages as t } from './oauth-app-messages';

interface AppCredentialsProps {
  readonly app: OAuthApp;
  readonly onClose: () => void;
}

/** The credentials for the app's program. Only this response contains the secret. */
export function AppCredentials({ app, onClose }: AppCredentialsProps) {
  const { client_id: clientId, client_secret: secret, name } = app;
  const done = (
    <Button kind="primary" onClick={onClose}>
      {t('done')}
    </Button>
  );
  const help = secret === null ? t('credentialsHelp') : t('secretHelp');
  return (
    <Dialog isOpen onClose={onClose} title={name} description={help} actions={done}>
      <p className="font-medium text-sm">{t('clientId')}</p>
      <CopyBox label={t('clientId')} text={clientId} />
      {secret !== null && (
        <>
          <p className="font-medium text-sm">{t('clientSecret')}</p>
          <CopyBox label={t('clientSecret')} text={secret} />
        </>
      )}
      <p className="font-medium text-sm">{t('metadata')}</p>
      <CopyBox label={t('metadata')} text={`${location.origin}/.well-known/oauth-authorization-server`} />
    </Dialog>
  );
}
