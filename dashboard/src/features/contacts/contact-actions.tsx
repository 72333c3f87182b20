import { Ban, CircleCheck, Merge, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { showError, showToast } from '../../kit/toast';
import { EraseContact } from './erase-contact';
import { MergeContact } from './merge-contact';
import { messages as t } from './messages';
import { type Contact, useChangeContact } from './queries';

export function ContactActions({ contact }: { readonly contact: Contact }) {
  const { id, display_name: name, status } = contact;
  // Merging and erasing affect conversations of all teams.
  const { seesAll } = usePermissions();
  const [open, setOpen] = useState<'block' | 'merge' | 'erase'>();
  const change = useChangeContact(id);
  const close = () => setOpen(undefined);
  const isBlocked = status === 'blocked';
  const unblock = () =>
    change.mutate(
      { status: 'active' },
      { onError: showError, onSuccess: () => showToast(t('wasUnblocked', { name })) },
    );
  return (
    <div className="flex flex-wrap gap-2">
      {seesAll && (
        <Button onClick={() => setOpen('merge')}>
          <Merge aria-hidden className="size-4" />
          {t('merge')}
        </Button>
      )}
      <Button disabled={change.isPending} onClick={isBlocked ? unblock : () => setOpen('block')}>
        {isBlocked ? <CircleCheck aria-hidden className="size-4" /> : <Ban aria-hidden className="size-4" />}
        {isBlocked ? t('unblock') : t('block')}
      </Button>
      {seesAll && (
        <Button kind="danger" onClick={() => setOpen('erase')}>
          <Trash2 aria-hidden className="size-4" />
          {t('erase')}
        </Button>
      )}
      {open === 'block' && <BlockContact contact={contact} onClose={close} />}
      {open === 'merge' && <MergeContact contact={contact} onClose={close} />}
      {open === 'erase' && <EraseContact contact={contact} onClose={close} />}
    </div>
  );
}

interface BlockContactProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

function BlockContact({ contact: { id, display_name: name }, onClose }: BlockContactProps) {
  const change = useChangeContact(id);
  const block = () =>
    change.mutate(
      { status: 'blocked' },
      {
        onSuccess: () => {
          showToast(t('wasBlocked', { name }));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={t('blockTitle', { name })}
      description={t('blockHelp')}
      action={t('block')}
      isDanger
      isPending={change.isPending}
      error={change.error}
      onConfirm={block}
      onClose={onClose}
    />
  );
}
