import { type FormEvent, useState } from 'react';
import { explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Field, Input } from '../../kit/field';
import { Card } from '../../kit/page';
import { showToast } from '../../kit/toast';
import { ConfigFields } from './config-fields';
import { type ConfigValues, changedConfig, configOf, valuesOf } from './config-values';
import { fieldProblems, within } from './field-problems';
import { messages as t } from './messages';
import { type Connection, type Protocol, useChangeConnection } from './queries';

interface EditConnectionProps {
  readonly connection: Connection;
  readonly protocol: Protocol;
}

/** Edits name, credentials and settings. The service restarts only this connection. */
export function EditConnection({ connection, protocol }: EditConnectionProps) {
  const { credentials, settings } = protocol.config_schema;
  const form = useEditForm(connection, protocol);
  return (
    <Card title={t('configuration')} description={t('configurationHelp')}>
      <form noValidate className="flex max-w-2xl flex-col gap-4" onSubmit={form.submit}>
        <Field label={t('name')} error={form.problems.name}>
          <Input
            autoComplete="off"
            value={form.name}
            onChange={(event) => form.setName(event.target.value)}
          />
        </Field>
        <ConfigFields
          fields={credentials}
          values={form.secrets}
          onChange={form.setSecrets}
          problems={within(form.problems, 'credentials')}
          kept={connection.credentials_set}
        />
        <ConfigFields
          fields={settings}
          values={form.values}
          onChange={form.setValues}
          problems={within(form.problems, 'settings')}
        />
        {form.advice !== undefined && (
          <p role="alert" className="text-danger text-sm">
            {form.advice}
          </p>
        )}
        <Button kind="primary" type="submit" className="self-start" disabled={form.isPending}>
          {t('save')}
        </Button>
      </form>
    </Card>
  );
}

function useEditForm(connection: Connection, { config_schema }: Protocol) {
  const change = useChangeConnection(connection.id);
  const before = valuesOf(config_schema.settings, connection.settings);
  const [name, setName] = useState(connection.name);
  const [secrets, setSecrets] = useState<ConfigValues>({});
  const [values, setValues] = useState(before);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const credentials = configOf(config_schema.credentials, secrets);
    const settings = changedConfig(config_schema.settings, values, before);
    change.mutate(
      {
        name: name.trim(),
        ...(Object.keys(credentials).length > 0 && { credentials }),
        ...(Object.keys(settings).length > 0 && { settings }),
      },
      { onSuccess: () => showToast(t('saved')) },
    );
  };
  const problems = fieldProblems(change.error);
  return {
    ...{ name, setName, secrets, setSecrets, values, setValues, submit, problems },
    isPending: change.isPending,
    advice: change.isError && Object.keys(problems).length === 0 ? explain(change.error).advice : undefined,
  };
}
