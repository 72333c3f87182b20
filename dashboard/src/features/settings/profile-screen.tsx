import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError } from '../../api/errors';
import { useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { Field, Input } from '../../kit/field';
import { Card } from '../../kit/page';
import { showError, showToast } from '../../kit/toast';
import { ChatIdentitiesCard } from './chat-identities-card';
import { messages as t } from './messages';
import { useChangeProfile } from './queries';
import { SettingsPage } from './settings-page';

const profileForm = z.object({
  displayName: z.string().check(z.trim(), z.minLength(1, t('valueMissing')), z.maxLength(128, t('tooLong'))),
  username: z.string().check(z.trim(), z.regex(/^[a-z0-9_.-]{3,64}$/, t('usernameInvalid'))),
  timezone: z.string().check(z.trim(), z.maxLength(64, t('tooLong'))),
});

/** The profile of the signed-in user, as others see it. */
export function ProfileScreen() {
  const { user, role } = useSession();
  return (
    <SettingsPage title={t('profile')} description={t('profileHelp')}>
      <Card>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted">{t('email')}</dt>
          <dd className="untrusted min-w-0 break-words">{user.email}</dd>
          <dt className="text-muted">{t('role')}</dt>
          <dd>{t(`role_${role}`)}</dd>
        </dl>
        <ProfileForm />
      </Card>
      <ChatIdentitiesCard />
    </SettingsPage>
  );
}

function ProfileForm() {
  const { user } = useSession();
  const change = useChangeProfile();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(profileForm),
    defaultValues: { displayName: user.display_name, username: user.username, timezone: user.timezone ?? '' },
  });
  const { errors } = formState;
  const refused = change.error instanceof ApiError ? change.error.fields : {};
  const submit = handleSubmit(({ displayName, username, timezone }) =>
    change.mutate(
      { display_name: displayName, username, timezone: timezone === '' ? null : timezone },
      {
        onSuccess: () => showToast(t('saved')),
        onError: (error) => {
          if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) showError(error);
        },
      },
    ),
  );
  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label={t('displayName')} error={errors.displayName?.message ?? refused.display_name}>
        <Input {...register('displayName')} autoComplete="name" />
      </Field>
      <Field
        label={t('username')}
        help={t('usernameHelp')}
        error={errors.username?.message ?? refused.username}
      >
        <Input {...register('username')} autoComplete="username" spellCheck={false} />
      </Field>
      <Field
        label={t('timezone')}
        help={t('timezoneHelp', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        error={errors.timezone?.message ?? refused.timezone}
      >
        <Input {...register('timezone')} list="timezones" autoComplete="off" spellCheck={false} />
      </Field>
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Button kind="primary" type="submit" className="self-start" disabled={change.isPending}>
        {t('save')}
      </Button>
    </form>
  );
}
