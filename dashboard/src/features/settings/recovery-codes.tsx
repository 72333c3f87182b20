import { Download } from 'lucide-react';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { saveText } from './save-text';
import { messages as t } from './second-step-messages';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Newly created codes. They cannot be shown again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n');
  const actions = (
    <>
      <Button onClick={() => saveText('trunkline-recovery-codes.txt', 'text/plain', `${text}\n`)}>
        <Download aria-hidden className="size-4" />
        {t('download')}
      </Button>
      <Button kind="primary" onClick={onClose}>
        {t('codesSaved')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('codesTitle')} description={t('codesHelp')} actions={actions}>
      <CopyBox text={text} label={t('codes')} />
    </Dialog>
  );
}
