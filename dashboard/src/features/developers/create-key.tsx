import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { ApiError, explain } from '../../api/errors';
import type { ApiKey } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input, TextArea } from '../../kit/field';
import { Select } from '../../kit/select';
import { GrantChoice } from './grant-choice';
import { DEFAULT_RATE_LIMIT, type KeyForm, type KeyFormInput, keyForm, newKeyOf } from './key-form';
import { messages as t } from './messages';
import { NewKey } from './new-key';
import { useCreateKey } from './queries';
import { ScopePicker } from './scope-picker';
import { scopesOfPreset } from './scopes';

const FORM = 'new-key';
const EMPTY: KeyFormInput = {
  name: '',
  environment: 'live',
  scopes: [...scopesOfPreset('messaging', [])],
  grant: null,
  lifetime: 'never',
  rateLimit: DEFAULT_RATE_LIMIT,
  addresses: '',
};

/** Creates a key, and shows it once. */
export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<ApiKey>();
  if (made !== undefined) return <NewKey apiKey={made} onClose={onClose} />;
  return <KeyDialog onClose={onClose} onMade={setMade} />;
}

interface KeyDialogProps {
  readonly onClose: () => void;
  readonly onMade: (apiKey: ApiKey) => void;
}

function KeyDialog({ onClose, onMade }: KeyDialogProps) {
  const create = useCreateKey();
  const form = useForm<KeyFormInput, unknown, KeyForm>({
    resolver: zodResolver(keyForm),
    defaultValues: EMPTY,
  });
  const submit = form.handleSubmit((values) => create.mutate(newKeyOf(values), { onSuccess: onMade }));
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={create.isPending}>
        {t('createKey')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('createKey')} description={t('createHelp')} actions={actions}>
      <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <KeyFields form={form} refused={refusedAddress(create.error)} />
        {create.isError && refusedAddress(create.error) === undefined && (
          <p role="alert" className="text-danger text-sm">
            {explain(create.error).advice}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** The service validates networks. Its response names the first invalid one. */
function refusedAddress(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const field = Object.keys(error.fields).find((each) => each.startsWith('ip_allowlist'));
  return field && t('addressInvalid', { number: Number(/\d+/.exec(field)?.[0] ?? 0) + 1 });
}

interface KeyFieldsProps {
  readonly form: ReturnType<typeof useForm<KeyFormInput, unknown, KeyForm>>;
  readonly refused: string | undefined;
}

const lifetimes = () => ({
  never: t('never'),
  '30': t('days', { count: 30 }),
  '90': t('days', { count: 90 }),
  '365': t('days', { count: 365 }),
});

function KeyFields({ form, refused }: KeyFieldsProps) {
  const { control, register, setValue, formState } = form;
  const { errors } = formState;
  return (
    <>
      <Field label={t('name')} help={t('nameHelp')} error={errors.name?.message}>
        <Input {...register('name')} autoComplete="off" />
      </Field>
      <Field label={t('environment')} help={t('environmentHelp')}>
        <Controller
          control={control}
          name="environment"
          render={({ field: { value, onChange } }) => (
            <Select
              value={value}
              onChange={(next) => {
                onChange(next);
                if (next === 'test') setValue('grant', null);
              }}
              options={{ live: t('live'), test: t('test') }}
            />
          )}
        />
      </Field>
      <AccessFields form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('expires')}>
          <Controller
            control={control}
            name="lifetime"
            render={({ field: { value, onChange } }) => (
              <Select value={value} onChange={onChange} options={lifetimes()} />
            )}
          />
        </Field>
        <Field label={t('rateLimit')} help={t('rateLimitHelp')} error={errors.rateLimit?.message}>
          <Input {...register('rateLimit')} inputMode="numeric" />
        </Field>
      </div>
      <Field label={t('addresses')} help={t('addressesHelp')} error={refused}>
        <TextArea {...register('addresses')} rows={2} spellCheck={false} />
      </Field>
    </>
  );
}

/** The permissions of the key, and the conversations that it can access. */
function AccessFields({ form: { control, formState } }: Pick<KeyFieldsProps, 'form'>) {
  const environment = useWatch({ control, name: 'environment' });
  const { errors } = formState;
  return (
    <>
      <Controller
        control={control}
        name="scopes"
        render={({ field: { value, onChange } }) => (
          <ScopePicker scopes={value} onChange={onChange} error={errors.scopes?.message} />
        )}
      />
      <Controller
        control={control}
        name="grant"
        render={({ field: { value, onChange } }) => (
          <GrantChoice
            environment={environment}
            grant={value}
            onChange={onChange}
            error={errors.grant?.message}
          />
        )}
      />
    </>
  );
}
