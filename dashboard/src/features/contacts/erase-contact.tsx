import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { type Contact, useEraseContact } from './queries';

interface EraseContactProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

/** Erasing cannot be undone, so the user must type the name. */
export function EraseContact({ contact: { id, display_name: name }, onClose }: EraseContactProps) {
  const navigate = useNavigate();
  const erase = useEraseContact(id);
  const [typed, setTyped] = useState('');
  const confirm = () =>
    erase.mutate(undefined, {
      onSuccess: () => {
        showToast(t('wasErased'));
        void navigate({ to: '/contacts' });
      },
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="destructive" onClick={confirm} disabled={erase.isPending || typed.trim() !== name.trim()}>
        {t('erase')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('eraseTitle', { name })} actions={actions}>
      <ul className="list-disc pl-5 text-muted text-sm">
        <li>{t('erasePerson')}</li>
        <li>{t('eraseChats')}</li>
        <li>{t('eraseRecords')}</li>
        <li>{t('eraseUndo')}</li>
      </ul>
      <Field label={t('typeName', { name })} error={erase.isError ? explain(erase.error).advice : undefined}>
        <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
    </Dialog>
  );
}
