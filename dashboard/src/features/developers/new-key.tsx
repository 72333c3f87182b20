import type { ApiKey } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { curlOf } from './key-form';
import { messages as t } from './messages';

/** A newly created key. It cannot be shown again. */
export function NewKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { key = '', name, scopes } = apiKey;
  const done = (
    <Button kind="primary" onClick={onClose}>
      {t('done')}
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} title={name} description={t('shownOnce')} actions={done}>
      <CopyBox text={key} label={t('key')} />
      <p className="mt-1 font-medium text-sm">{t('tryIt')}</p>
      <CopyBox text={curlOf(key, scopes, location.origin)} label={t('command')} />
    </Dialog>
  );
}
