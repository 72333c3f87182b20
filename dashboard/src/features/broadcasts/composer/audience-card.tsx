import { useQuery } from '@tanstack/react-query';
import { Upload, X } from 'lucide-react';
import { useRef } from 'react';
import { language } from '../../../i18n/language';
import { Button } from '../../../kit/button';
import { Field, Input, TextArea } from '../../../kit/field';
import { Card } from '../../../kit/page';
import { Select } from '../../../kit/select';
import { messages as t } from './messages';
import { type PlanProps, readAddresses } from './plan';
import { type Segment, segmentsQuery, useUploadList } from './queries';
import { Refusal } from './refusal';

/** More inline recipients are refused: they belong into a segment. */
const SHOWN_LINES = 5;

/** Who gets it: segments, a filter, a list and addresses together, without those that are left out. */
export function AudienceCard(props: PlanProps) {
  const { plan, onChange, problems } = props;
  return (
    <Card title={t('audience')} description={t('audienceHelp')}>
      <Segments
        label={t('segments')}
        ids={plan.segmentIds}
        onChange={(segmentIds) => onChange({ segmentIds })}
      />
      <UploadList onUploaded={({ id }) => onChange({ segmentIds: [...plan.segmentIds, id] })} />
      <Field label={t('filter')} help={t('filterHelp')} error={problems['audience.filter']}>
        <Input
          autoComplete="off"
          spellCheck={false}
          maxLength={1024}
          placeholder="metadata.plan:gold"
          value={plan.filter}
          onChange={(event) => onChange({ filter: event.target.value })}
        />
      </Field>
      <Addresses {...props} />
      <Segments
        label={t('excluded')}
        ids={plan.excludedIds}
        onChange={(excludedIds) => onChange({ excludedIds })}
      />
      <KeptUsers {...props} />
    </Card>
  );
}

interface SegmentsProps {
  readonly label: string;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function Segments({ label, ids, onChange }: SegmentsProps) {
  const { data } = useQuery(segmentsQuery);
  const all = data?.data ?? [];
  const known = new Map(all.map((segment) => [segment.id, segment]));
  const left = all.filter(({ id }) => !ids.includes(id));
  if (data === undefined || (all.length === 0 && ids.length === 0)) return null;
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} help={data.pagination?.nextCursor != null ? t('firstSegments') : undefined}>
        <Select
          value=""
          onChange={(id) => onChange([...ids, id])}
          options={{
            '': t('addSegment'),
            ...Object.fromEntries(left.map((each) => [each.id, nameOf(each)])),
          }}
        />
      </Field>
      {ids.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {ids.map((id) => (
            <Chosen
              key={id}
              name={nameOf(known.get(id))}
              onRemove={() => onChange(ids.filter((each) => each !== id))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const nameOf = (segment: Segment | undefined): string =>
  segment === undefined ? t('otherSegment') : `${segment.name} (${segment.size.toLocaleString(language)})`;

function Chosen({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <li className="flex min-w-0 max-w-full items-center gap-1 rounded-md border border-line bg-hover pl-2 text-sm">
      <span className="untrusted truncate">{name}</span>
      <Button size="sm" kind="quiet" aria-label={t('remove', { name })} onClick={onRemove}>
        <X aria-hidden className="size-3.5" />
      </Button>
    </li>
  );
}

function UploadList({ onUploaded }: { readonly onUploaded: (segment: Segment) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useUploadList();
  return (
    <div className="flex flex-col items-start gap-1">
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // So that the same file can be chosen again.
          target.value = '';
          if (file !== undefined) upload.mutate(file, { onSuccess: onUploaded });
        }}
      />
      <Button disabled={upload.isPending} onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-4" />
        {t(upload.isPending ? 'uploading' : 'upload')}
      </Button>
      <p className="text-muted text-sm">{t('uploadHelp')}</p>
      {upload.isError && <Refusal error={upload.error} />}
    </div>
  );
}

function Addresses({ plan, onChange, problems }: PlanProps) {
  const { recipients, wrongLines } = readAddresses(plan.addresses);
  const wrong =
    wrongLines.length > 0 && t('wrongLines', { lines: wrongLines.slice(0, SHOWN_LINES).join(', ') });
  const refused = Object.entries(problems).flatMap(([field, problem]) => {
    const [, index] = /^audience\.recipients\.(\d+)\./.exec(field) ?? [];
    return index === undefined ? [] : `${recipients[Number(index)]?.address ?? ''}: ${problem}`;
  });
  return (
    <Field
      label={t('addresses')}
      help={t('addressesHelp')}
      error={wrong || (refused.length > 0 ? refused.slice(0, SHOWN_LINES).join(' · ') : undefined)}
    >
      <TextArea
        rows={3}
        spellCheck={false}
        placeholder="sms +4915112345678"
        value={plan.addresses}
        onChange={(event) => onChange({ addresses: event.target.value })}
      />
    </Field>
  );
}

/** Contacts that a program chose by their ids. */
function KeptUsers({ plan: { kept }, onChange }: PlanProps) {
  if (kept.userIds.length + kept.excludedUserIds.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p>{t('keptUsers', { count: kept.userIds.length, excluded: kept.excludedUserIds.length })}</p>
      <Button size="sm" onClick={() => onChange({ kept: { ...kept, userIds: [], excludedUserIds: [] } })}>
        {t('removeUsers')}
      </Button>
    </div>
  );
}
