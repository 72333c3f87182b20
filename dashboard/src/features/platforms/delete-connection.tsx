import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { type Connection, useDeleteConnection } from './queries';

interface DeleteConnectionProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Deleting unlinks chats and cancels waiting deliveries, so the user must type the name. */
export function DeleteConnection({ connection: { id, name }, onClose }: DeleteConnectionProps) {
  const navigate = useNavigate();
  const remove = useDeleteConnection(id);
  const [typed, setTyped] = useState('');
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast(t('deleted', { name }));
        void navigate({ to: '/platforms' });
      },
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button
        kind="destructive"
        onClick={confirm}
        disabled={remove.isPending || typed.trim() !== name.trim()}
      >
        {t('delete')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('deleteTitle', { name })} actions={actions}>
      <ul className="list-disc pl-5 text-muted text-sm">
        <li>{t('deleteLinks')}</li>
        <li>{t('deletePending')}</li>
        <li>{t('deleteKept')}</li>
        <li>{t('deletePlatform')}</li>
      </ul>
      <Field
        label={t('typeName', { name })}
        error={remove.isError ? explain(remove.error).advice : undefined}
      >
        <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
    </Dialog>
  );
}
