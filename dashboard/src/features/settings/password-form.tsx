import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError } from '../../api/errors';
import { useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { Field, Input } from '../../kit/field';
import { showError, showToast } from '../../kit/toast';
import { useChangePassword } from './queries';
import { messages as t } from './sign-in-messages';

const passwordForm = z.object({
  current: z.string().check(z.minLength(1, t('missing'))),
  next: z.string().check(z.minLength(8, t('tooShort')), z.maxLength(256, t('tooLong'))),
});

export function PasswordForm() {
  const { user } = useSession();
  const change = useChangePassword();
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(passwordForm),
    defaultValues: { current: '', next: '' },
  });
  const { errors } = formState;
  const refused = change.error instanceof ApiError ? change.error.fields : {};
  const submit = handleSubmit(({ current, next }) =>
    change.mutate(
      { current_password: current, new_password: next },
      {
        onSuccess: () => {
          reset();
          showToast(t('wasChanged'));
        },
        onError: (error) => {
          if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) showError(error);
        },
      },
    ),
  );
  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {/* Password managers read the account from this field. */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <Field label={t('current')} error={errors.current?.message ?? refused.current_password}>
        <Input {...register('current')} type="password" autoComplete="current-password" />
      </Field>
      <Field label={t('next')} help={t('nextHelp')} error={errors.next?.message ?? refused.new_password}>
        <Input {...register('next')} type="password" autoComplete="new-password" />
      </Field>
      <Button kind="primary" type="submit" className="self-start" disabled={change.isPending}>
        {t('change')}
      </Button>
    </form>
  );
}
