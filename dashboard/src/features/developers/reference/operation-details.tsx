import { useState } from 'react';
import { Badge } from '../../../kit/badge';
import { CopyBox } from '../../../kit/copy';
import { Table } from '../../../kit/table';
import { messages as t } from './messages';
import type { Answer, Field, Operation } from './operations';

const METHOD_LOOKS: Readonly<Record<string, string>> = {
  GET: 'text-success',
  POST: 'text-accent-text',
  PUT: 'text-warning',
  PATCH: 'text-warning',
  DELETE: 'text-danger',
};

/** One operation: a row that expands to its details. */
export function OperationDetails({ operation }: { readonly operation: Operation }) {
  const [isOpen, setOpen] = useState(false);
  const { method, path, summary } = operation;
  return (
    <details className="px-3 py-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-sm touch:min-h-10">
        <code className="break-all">
          <span className={`font-semibold ${METHOD_LOOKS[method] ?? ''}`}>{method}</span> {path}
        </code>
        <span className="block text-muted">{summary}</span>
      </summary>
      {isOpen && <Everything operation={operation} />}
    </details>
  );
}

function Everything({ operation }: { readonly operation: Operation }) {
  const { description, scopes, isAnyScope, parameters, body, answers, curl, summary: name } = operation;
  const needed = { scopes: scopes.join(', ') };
  return (
    <div className="flex flex-col gap-4 pt-3">
      {description !== '' && <Described text={description} />}
      {scopes.length > 0 && (
        <p>
          <Badge>{isAnyScope ? t('anyScope', needed) : t('scope', needed)}</Badge>
        </p>
      )}
      <Fields title={t('parametersTitle')} label={t('parameters', { name })} fields={parameters} />
      <Fields title={t('bodyTitle')} label={t('body', { name })} fields={body} />
      <section className="flex flex-col gap-2">
        <h3 className="font-medium text-sm">{t('example')}</h3>
        <CopyBox label={t('curl', { name })} text={curl} />
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="font-medium text-sm">{t('answers')}</h3>
        {answers.map((answer) => (
          <AnswerDetails key={answer.status} answer={answer} name={name} />
        ))}
      </section>
    </div>
  );
}

interface FieldsProps {
  readonly title: string;
  readonly label: string;
  readonly fields: readonly Field[];
}

function Fields({ title, label, fields }: FieldsProps) {
  if (fields.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">{title}</h3>
      <Table
        label={label}
        rows={fields}
        rowKey={({ name, place }) => `${place} ${name}`}
        columns={[
          { title: t('field'), cell: (field) => <Name field={field} /> },
          {
            title: t('type'),
            isMinor: true,
            cell: ({ type }) => <code className="break-words text-xs">{type}</code>,
          },
          { title: t('meaning'), cell: ({ description }) => <Described text={description} /> },
        ]}
      />
    </section>
  );
}

function Name({ field: { name, place, isRequired } }: { readonly field: Field }) {
  return (
    <div className="flex flex-col items-start gap-1">
      <code className="break-all text-xs">{name}</code>
      {place !== undefined && <span className="text-muted text-xs">{t(`in_${place}`)}</span>}
      {isRequired && <Badge>{t('required')}</Badge>}
    </div>
  );
}

function AnswerDetails({ answer, name }: { readonly answer: Answer; readonly name: string }) {
  const { status, description, example } = answer;
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm">
        <code className="font-semibold">{status}</code> {description}
      </p>
      {example !== undefined && <CopyBox label={t('answer', { status, name })} text={example} />}
    </div>
  );
}

/** Text of the API document, with code between backticks. */
export function Described({ text }: { readonly text: string }) {
  const pieces = text
    .split('`')
    .map((piece, index) => ({ piece, key: `${index} ${piece}`, isCode: index % 2 === 1 }));
  return (
    <p className="max-w-2xl whitespace-pre-line text-muted text-sm">
      {pieces.map(({ piece, key, isCode }) =>
        isCode ? (
          <code key={key} className="break-words text-text text-xs">
            {piece}
          </code>
        ) : (
          piece
        ),
      )}
    </p>
  );
}
