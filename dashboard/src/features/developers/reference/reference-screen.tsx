import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { type ApiDocument, type ApiVersion, apiDocumentQuery } from '../../../api/api-document';
import { EmptyState, ErrorState, SkeletonList } from '../../../kit/feedback';
import { Input } from '../../../kit/field';
import { Select } from '../../../kit/select';
import { DevelopersPage } from '../developers-page';
import { messages as t } from './messages';
import { Described, OperationDetails } from './operation-details';
import { matches, type Operation, operationsOf } from './operations';

const VERSIONS: Readonly<Record<ApiVersion, string>> = {
  '1.0': t('versionOption', { version: '1.0' }),
  '2.0': t('versionOption', { version: '2.0' }),
};

/** The reference of the REST API, made from the document that the service serves. */
export function ReferenceScreen() {
  const [text, setText] = useState('');
  const [version, setVersion] = useState<ApiVersion>('1.0');
  return (
    <DevelopersPage title={t('title')} description={t('help')}>
      <search className="flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          className="min-w-40 flex-1"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Select
          className="max-w-44"
          label={t('version')}
          value={version}
          onChange={setVersion}
          options={VERSIONS}
        />
      </search>
      <Reference search={useDeferredValue(text).trim()} version={version} />
    </DevelopersPage>
  );
}

function Reference({ search, version }: { readonly search: string; readonly version: ApiVersion }) {
  const query = { ...apiDocumentQuery(version), placeholderData: keepPreviousData };
  const { data, error, refetch } = useQuery(query);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={8} />;
  return <Groups document={data} search={search} />;
}

function Groups({ document, search }: { readonly document: ApiDocument; readonly search: string }) {
  const operations = useMemo(() => operationsOf(document), [document]);
  const found = operations.filter((operation) => matches(operation, search));
  if (found.length === 0)
    return (
      <EmptyState icon={BookOpen} title={t('noneFound')}>
        {t('noneFoundHelp')}
      </EmptyState>
    );
  return document.tags.map(({ name, description }) => (
    <Group
      key={name}
      name={name}
      description={description ?? ''}
      operations={found.filter(({ tag }) => tag === name)}
    />
  ));
}

interface GroupProps {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

function Group({ name, description, operations }: GroupProps) {
  if (operations.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">{name}</h2>
      <Described text={description} />
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {operations.map((operation) => (
          <li key={operation.id}>
            <OperationDetails operation={operation} />
          </li>
        ))}
      </ul>
    </section>
  );
}
