import { BookOpen } from 'lucide-react';
import { useMemo } from 'react';
import type { ApiDocument } from '../../../api/api-document';
import { EmptyState } from '../../../kit/feedback';
import { DocumentPage } from '../document-page';
import { messages as t } from './messages';
import { Described, OperationDetails } from './operation-details';
import { matches, type Operation, operationsOf } from './operations';

/** The reference of the REST API, generated from the document that the service serves. */
export function ReferenceScreen() {
  return (
    <DocumentPage t={t}>{(document, search) => <Groups document={document} search={search} />}</DocumentPage>
  );
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
