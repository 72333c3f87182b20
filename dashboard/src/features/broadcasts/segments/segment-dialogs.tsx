import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, explain } from '../../../api/errors';
import { Button } from '../../../kit/button';
import { Dialog } from '../../../kit/dialog';
import { Field, Input } from '../../../kit/field';
import { Select } from '../../../kit/select';
import { messages as t } from './messages';
import { type Segment, useChangeSegment, useCreateSegment } from './queries';

const FORM = 'segment';

interface CreateSegmentProps {
  readonly onClose: () => void;
}

/** A segment is either a filter, which is evaluated again for each broadcast, or a list. */
export function CreateSegment({ onClose }: CreateSegmentProps) {
  const create = useCreateSegment();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Segment['kind']>('filter');
  const [filter, setFilter] = useState('');
  const [file, setFile] = useState<File>();
  const source = kind === 'filter' ? filter.trim() : file;
  const isReady = name.trim() !== '' && source !== undefined && source !== '';
  return (
    <Frame
      title={t('new')}
      action={t('create')}
      isReady={isReady && !create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() => source && create.mutate({ name: name.trim(), source }, { onSuccess: onClose })}
    >
      <NameField name={name} onChange={setName} />
      <Field label={t('kind')}>
        <Select value={kind} onChange={setKind} options={{ filter: t('filter'), static: t('static') }} />
      </Field>
      {kind === 'filter' && <FilterField filter={filter} onChange={setFilter} />}
      {kind === 'static' && (
        <Field label={t('file')} help={t('fileHelp')}>
          <Input
            type="file"
            accept=".csv,text/csv"
            className="py-0.5"
            onChange={({ target }) => setFile((target as HTMLInputElement).files?.[0])}
          />
        </Field>
      )}
    </Frame>
  );
}

interface EditSegmentProps extends CreateSegmentProps {
  readonly segment: Segment;
}

export function EditSegment({ segment, onClose }: EditSegmentProps) {
  const change = useChangeSegment(segment.id);
  const [name, setName] = useState(segment.name);
  const [filter, setFilter] = useState(segment.filter ?? '');
  const isFilter = segment.kind === 'filter';
  const body = { name: name.trim(), ...(isFilter && { filter: filter.trim() }) };
  return (
    <Frame
      title={t('edit')}
      action={t('save')}
      isReady={name.trim() !== '' && (!isFilter || filter.trim() !== '') && !change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={() => change.mutate(body, { onSuccess: onClose })}
    >
      <NameField name={name} onChange={setName} />
      {isFilter && <FilterField filter={filter} onChange={setFilter} />}
    </Frame>
  );
}

interface FrameProps {
  readonly title: string;
  readonly action: string;
  readonly isReady: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

function Frame({ title, action, isReady, error, onClose, onSubmit, children }: FrameProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={!isReady}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} actions={actions}>
      <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {children}
        {error !== null && (
          <p role="alert" className="untrusted break-words text-danger text-sm">
            {error instanceof ApiError && error.status === 409 ? error.message : explain(error).advice}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function NameField({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) {
  return (
    <Field label={t('name')}>
      <Input
        autoComplete="off"
        maxLength={256}
        value={name}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

interface FilterFieldProps {
  readonly filter: string;
  readonly onChange: (filter: string) => void;
}

function FilterField({ filter, onChange }: FilterFieldProps) {
  return (
    <Field label={t('filterField')} help={t('filterHelp')}>
      <Input
        autoComplete="off"
        spellCheck={false}
        maxLength={1024}
        placeholder="metadata.plan:gold"
        value={filter}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
