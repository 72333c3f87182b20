import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { messages as t } from './webhook-messages';

interface NewSecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function NewSecret({ secret, onClose }: NewSecretProps) {
  const done = (
    <Button kind="primary" onClick={onClose}>
      {t('done')}
    </Button>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('secretTitle')} description={t('secretHelp')} actions={done}>
      <CopyBox label={t('secret')} text={secret} />
    </Dialog>
  );
}
