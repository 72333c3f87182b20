import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { type ApiDocument, type ApiVersion, apiDocumentQuery } from '../../api/api-document';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Input } from '../../kit/field';
import { Filters } from '../../kit/filters';
import { Select } from '../../kit/select';
import { DevelopersPage } from './developers-page';

interface DocumentPageProps {
  readonly t: (
    text: 'title' | 'help' | 'search' | 'version' | 'versionOption',
    values?: Readonly<Record<string, string>>,
  ) => string;
  readonly children: (document: ApiDocument, search: string) => ReactNode;
}

/** A searchable page generated from the API document that the service serves, with its version. */
export function DocumentPage({ t, children }: DocumentPageProps) {
  const [text, setText] = useState('');
  const [version, setVersion] = useState<ApiVersion>('1.0');
  const search = useDeferredValue(text).trim();
  const options: Readonly<Record<ApiVersion, string>> = {
    '1.0': t('versionOption', { version: '1.0' }),
    '2.0': t('versionOption', { version: '2.0' }),
  };
  return (
    <DevelopersPage title={t('title')} description={t('help')}>
      <Filters>
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
          options={options}
        />
      </Filters>
      <Loaded version={version}>{(document) => children(document, search)}</Loaded>
    </DevelopersPage>
  );
}

interface LoadedProps {
  readonly version: ApiVersion;
  readonly children: (document: ApiDocument) => ReactNode;
}

function Loaded({ version, children }: LoadedProps) {
  const query = { ...apiDocumentQuery(version), placeholderData: keepPreviousData };
  const { data, error, refetch } = useQuery(query);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonList rows={8} />;
  return children(data);
}
