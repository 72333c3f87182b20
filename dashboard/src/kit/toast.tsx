import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { Button } from './button';
import { messages as t } from './messages';

const UNDO_MS = 6_000;
const ERROR_MS = 12_000;

const manager = Toast.createToastManager();

/** Reports a completed action. With `undo`, the user has 6 s to undo it. */
export function showToast(title: string, undo?: () => void): void {
  const id = manager.add({
    title,
    timeout: UNDO_MS,
    ...(undo && {
      actionProps: {
        children: t('undo'),
        'aria-keyshortcuts': 'U',
        onClick: () => {
          undo();
          manager.close(id);
        },
      },
    }),
  });
}

/** Reports a failure and what to do about it. */
export function showError(error: unknown): void {
  const { title, advice } = explain(error);
  manager.add({ title, description: advice, timeout: ERROR_MS, priority: 'high', type: 'error' });
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-20 left-4 z-50 mx-auto flex max-w-96 flex-col gap-2 outline-none sm:left-auto">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`rounded-lg border bg-surface shadow-raised transition-opacity data-limited:hidden data-ending-style:opacity-0 data-starting-style:opacity-0 ${toast.type === 'error' ? 'border-danger' : 'border-line'}`}
    >
      <Toast.Content className="flex items-center gap-3 px-3 py-2.5">
        <div className="min-w-0 grow">
          <Toast.Title className="untrusted font-medium text-sm" />
          <Toast.Description className="untrusted text-muted text-sm" />
        </div>
        {toast.actionProps && <Toast.Action render={<Button size="sm" />} />}
        <Toast.Close render={<Button kind="quiet" size="icon" aria-label={t('close')} className="size-7" />}>
          <X aria-hidden className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
