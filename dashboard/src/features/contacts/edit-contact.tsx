import { type FormEvent, useState } from 'react';
import { ApiError, explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Field, Input } from '../../kit/field';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { type Contact, type ContactBody, useChangeContact } from './queries';

interface EditContactProps {
  readonly contact: Contact;
  readonly canWrite: boolean;
}

type Values = Readonly<Record<(typeof FIELDS)[number], string>>;
const FIELDS = ['display_name', 'email', 'phone', 'locale', 'timezone'] as const;
const LABELS: Values = {
  display_name: t('name'),
  email: t('email'),
  phone: t('phone'),
  locale: t('locale'),
  timezone: t('timezone'),
};

export function EditContact({ contact, canWrite }: EditContactProps) {
  const change = useChangeContact(contact.id);
  const [values, setValues] = useState<Values>({
    display_name: contact.display_name,
    email: contact.email,
    phone: contact.phone ?? '',
    locale: contact.locale ?? '',
    timezone: contact.timezone ?? '',
  });
  const problems: Readonly<Record<string, string>> =
    change.error instanceof ApiError ? change.error.fields : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The changed contact replaces this form, and `mutate` does not call its callback after an unmount.
    change.mutateAsync(bodyOf(values)).then(
      () => showToast(t('saved')),
      () => undefined,
    );
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {FIELDS.map((field) => (
        <Field key={field} label={LABELS[field]} error={problems[field]}>
          <Input
            autoComplete="off"
            disabled={!canWrite}
            value={values[field]}
            onChange={(event) => setValues({ ...values, [field]: event.target.value })}
          />
        </Field>
      ))}
      {change.isError && Object.keys(problems).length === 0 && (
        <p role="alert" className="text-danger text-sm">
          {explain(change.error).advice}
        </p>
      )}
      {canWrite && (
        <Button kind="primary" type="submit" className="self-start" disabled={change.isPending}>
          {t('save')}
        </Button>
      )}
    </form>
  );
}

function bodyOf({ display_name: name, email, phone, locale, timezone }: Values): ContactBody {
  return {
    display_name: name.trim(),
    email: email.trim(),
    phone: phone.trim() || null,
    locale: locale.trim() || null,
    timezone: timezone.trim() || null,
  };
}
