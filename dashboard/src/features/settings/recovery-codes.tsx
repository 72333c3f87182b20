import { Download } from 'lucide-react';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { messages as t } from './second-step-messages';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Codes that were just made. They cannot be shown again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n');
  const actions = (
    <>
      <Button onClick={() => download(text)}>
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

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'trunkline-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}
