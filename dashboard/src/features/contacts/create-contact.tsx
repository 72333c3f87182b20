import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { messages as t } from './messages';
import { type ContactBody, useCreateContact } from './queries';

const FORM = 'new-contact';

export function CreateContact({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCreateContact();
  const submit = (body: Parameters<typeof create.mutate>[0]) =>
    create.mutate(body, {
      onSuccess: ({ id }) => void navigate({ to: '/contacts/$id', params: { id } }),
    });
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={create.isPending}>
        {t('create')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('create')} description={t('createHelp')} actions={actions}>
      <Fields error={create.error} onSubmit={submit} />
    </Dialog>
  );
}

interface FieldsProps {
  readonly error: unknown;
  readonly onSubmit: (body: ContactBody & { readonly display_name: string }) => void;
}

function Fields({ error, onSubmit }: FieldsProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState('');
  const problems = error instanceof ApiError ? error.fields : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({
      display_name: name.trim(),
      ...(email.trim() !== '' && { email: email.trim() }),
      ...(phone.trim() !== '' && { phone: phone.trim() }),
    });
  };
  return (
    <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field label={t('name')} error={problems.display_name}>
        <Input autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t('email')} error={problems.email}>
        <Input
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label={t('phone')} help={t('phoneHelp')} error={problems.phone}>
        <Input
          type="tel"
          autoComplete="off"
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
      </Field>
      {error !== null && Object.keys(problems).length === 0 && (
        <p role="alert" className="text-danger text-sm">
          {explain(error).advice}
        </p>
      )}
    </form>
  );
}
