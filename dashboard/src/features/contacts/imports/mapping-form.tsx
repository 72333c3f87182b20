import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContactImport, ImportMapping } from '../../../api/import-paths';
import { Field } from '../../../kit/field';
import { Card } from '../../../kit/page';
import { Select } from '../../../kit/select';
import { Table } from '../../../kit/table';
import { platformsQuery } from '../queries';
import { ImportCheck } from './import-check';
import { firstMapping, isOwnField, matchingFields, metadataField, OWN_FIELDS, withColumn } from './mapping';
import { messages as t } from './messages';
import { samplesQuery } from './queries';
import { fieldName } from './texts';

const NONE = '';

/** Maps the columns of an upload to fields, shows the resulting problems, and starts the import. */
export function MappingForm({ upload }: { readonly upload: ContactImport }) {
  const [mapping, setMapping] = useState(() => firstMapping(upload.header));
  return (
    <>
      <Card title={t('columns')} description={`${t('columnsHelp')} ${t('consentHelp')}`}>
        <Columns upload={upload} mapping={mapping} onChange={setMapping} />
      </Card>
      <Card title={t('existing')}>
        <Matching mapping={mapping} onChange={setMapping} />
      </Card>
      <ImportCheck upload={upload} mapping={mapping} />
    </>
  );
}

interface MappingProps {
  readonly mapping: ImportMapping;
  readonly onChange: (mapping: ImportMapping) => void;
}

function Columns({ upload: { id, header }, mapping, onChange }: MappingProps & { upload: ContactImport }) {
  const samples = useQuery(samplesQuery(id)).data ?? [];
  const platforms = useQuery(platformsQuery).data ?? [];
  const addresses = platforms.map(({ id: platform }) => `address.${platform}`);
  const columns = header.map((name, at) => ({
    name: name === '' ? t('unnamed', { number: at + 1 }) : name,
    at,
  }));
  const options = (at: number) => {
    const own = metadataField(header[at] ?? '');
    const fields = [...OWN_FIELDS, ...addresses, ...(own === undefined ? [] : [own])];
    return { [NONE]: t('leaveOut'), ...Object.fromEntries(fields.map((field) => [field, fieldName(field)])) };
  };
  return (
    <Table
      label={t('columns')}
      rows={columns}
      rowKey={({ at }) => String(at)}
      columns={[
        { title: t('column'), cell: ({ name }) => <span className="font-medium">{name}</span> },
        {
          title: t('examples'),
          isMinor: true,
          cell: ({ at }) => (
            <span className="line-clamp-1 text-muted">
              {samples
                .map(({ cells }) => cells?.[at] ?? '')
                .filter((cell) => cell !== '')
                .join(' · ')}
            </span>
          ),
        },
        {
          title: t('field'),
          cell: ({ name, at }) => (
            <Select
              className="min-w-36 max-w-56"
              label={`${t('field')}: ${name}`}
              value={mapping.columns[at] ?? NONE}
              options={options(at)}
              onChange={(field) => onChange(withColumn(mapping, at, field === NONE ? null : field))}
            />
          ),
        },
      ]}
    />
  );
}

function Matching({ mapping, onChange }: MappingProps) {
  const fields = matchingFields(mapping.columns);
  const options = {
    ...Object.fromEntries(fields.map((field) => [field, isOwnField(field) ? t(field) : fieldName(field)])),
    [NONE]: t('never'),
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('matchBy')}>
        <Select
          label={t('matchBy')}
          value={mapping.match_by ?? NONE}
          options={options}
          onChange={(field) => onChange({ ...mapping, match_by: field === NONE ? null : field })}
        />
      </Field>
      {mapping.match_by !== null && (
        <Field label={t('whenFound')}>
          <Select
            label={t('whenFound')}
            value={mapping.existing}
            options={{ update: t('update'), skip: t('skip') }}
            onChange={(existing) => onChange({ ...mapping, existing })}
          />
        </Field>
      )}
    </div>
  );
}
