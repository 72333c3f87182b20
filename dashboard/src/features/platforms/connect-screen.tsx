import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { PlugZap } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { explain } from '../../api/errors';
import { BackLink } from '../../kit/back-link';
import { Button } from '../../kit/button';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Field, Input } from '../../kit/field';
import { Card, Page } from '../../kit/page';
import { ConfigFields } from './config-fields';
import { type ConfigValues, configOf, missingFields } from './config-values';
import { fieldProblems, within } from './field-problems';
import { messages as t } from './messages';
import { type Protocol, protocolsQuery, useConnect } from './queries';

/** Connects an account with the form that the adapter's schema describes. */
export function ConnectScreen() {
  const { platform } = useParams({ from: '/shell/platforms/new/$platform' });
  const { data, error, refetch } = useQuery(protocolsQuery);
  const protocol = data?.find(({ id }) => id === platform);
  return (
    <Page
      title={t('connectPlatform', { name: protocol?.name ?? platform })}
      description={t('connectHelp')}
      back={<BackLink to="/platforms">{t('title')}</BackLink>}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={4} />}
      {data !== undefined && protocol === undefined && (
        <EmptyState icon={PlugZap} title={t('noAdapter')}>
          {t('noAdapterHelp')}
        </EmptyState>
      )}
      {protocol !== undefined && <ConnectForm protocol={protocol} />}
    </Page>
  );
}

function ConnectForm({ protocol }: { readonly protocol: Protocol }) {
  const form = useConnectForm(protocol);
  const { credentials, settings } = protocol.config_schema;
  return (
    <form noValidate className="flex max-w-2xl flex-col gap-4" onSubmit={form.submit}>
      <Card title={t('account')}>
        <Field label={t('name')} help={t('nameHelp')} error={form.problems.name}>
          <Input
            autoComplete="off"
            value={form.name}
            onChange={(event) => form.setName(event.target.value)}
          />
        </Field>
        <ConfigFields
          fields={credentials}
          values={form.credentials}
          onChange={form.setCredentials}
          problems={within(form.problems, 'credentials')}
        />
      </Card>
      <details className="rounded-lg border border-line bg-surface p-4" open={form.hasSettingProblem}>
        <summary className="-m-4 cursor-pointer p-4 font-semibold">{t('settings')}</summary>
        <div className="mt-4 flex flex-col gap-3">
          <ConfigFields
            fields={settings}
            values={form.settings}
            onChange={form.setSettings}
            problems={within(form.problems, 'settings')}
          />
        </div>
      </details>
      {form.advice !== undefined && (
        <p role="alert" className="text-danger text-sm">
          {form.advice}
        </p>
      )}
      <Button kind="primary" type="submit" className="self-start" disabled={form.isPending}>
        {t('connect')}
      </Button>
    </form>
  );
}

function useConnectForm({ id, name: platformName, config_schema }: Protocol) {
  const navigate = useNavigate();
  const connect = useConnect(id);
  const [name, setName] = useState(platformName);
  const [credentials, setCredentials] = useState<ConfigValues>({});
  const [settings, setSettings] = useState<ConfigValues>({});
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const absent = missingFields(config_schema.credentials, credentials).map(
      (field) => `credentials.${field}`,
    );
    if (name.trim() === '') absent.push('name');
    setMissing(Object.fromEntries(absent.map((field) => [field, t('valueMissing')])));
    if (absent.length > 0) return;
    connect.mutate(
      {
        name: name.trim(),
        credentials: configOf(config_schema.credentials, credentials),
        settings: configOf(config_schema.settings, settings),
      },
      { onSuccess: (made) => void navigate({ to: '/platforms/$id', params: { id: made.id } }) },
    );
  };
  const problems = { ...fieldProblems(connect.error), ...missing };
  return {
    ...{ name, setName, credentials, setCredentials, settings, setSettings, submit, problems },
    isPending: connect.isPending,
    hasSettingProblem: Object.keys(within(problems, 'settings')).length > 0,
    advice: connect.isError && Object.keys(problems).length === 0 ? explain(connect.error).advice : undefined,
  };
}
