import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { messages as t } from './messages';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** The buttons. The primary button is last. */
  readonly actions?: ReactNode;
  /** For content that needs columns. */
  readonly isWide?: boolean;
}

export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, description, children, actions, isWide = false } = props;
  const width = isWide ? 'w-[min(56rem,calc(100vw-2rem))]' : 'w-[min(32rem,calc(100vw-2rem))]';
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-[#000]/40 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          className={`${width} fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] -translate-x-1/2 -translate-y-1/2 flex-col gap-3 overflow-y-auto rounded-lg border border-line bg-surface p-5 shadow-raised outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0`}
        >
          <div className="flex items-start justify-between gap-4">
            <BaseDialog.Title className="untrusted font-semibold text-lg">{title}</BaseDialog.Title>
            <BaseDialog.Close
              render={<Button kind="quiet" size="icon" aria-label={t('close')} className="-mt-1 -mr-2" />}
            >
              <X aria-hidden className="size-4" />
            </BaseDialog.Close>
          </div>
          {description !== undefined && (
            <BaseDialog.Description className="text-muted">{description}</BaseDialog.Description>
          )}
          {children}
          {actions !== undefined && <div className="mt-2 flex flex-wrap justify-end gap-2">{actions}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
