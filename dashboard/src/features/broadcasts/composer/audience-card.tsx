import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { language } from '../../../i18n/language';
import { Button } from '../../../kit/button';
import { Field, Input, TextArea } from '../../../kit/field';
import { Card } from '../../../kit/page';
import { SEGMENTS } from './found';
import { messages as t } from './messages';
import { NamedChoice } from './named-choice';
import { type PlanProps, readAddresses } from './plan';
import { type Segment, useUploadList } from './queries';
import { Refusal } from './refusal';

/** Limit of inline recipients. A larger list must be a segment. */
const SHOWN_LINES = 5;

/** Selects the recipients: segments, a filter, a list and addresses combined, minus the excluded ones. */
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
  return (
    <NamedChoice
      kind={SEGMENTS}
      label={label}
      placeholder={t('addSegment')}
      ids={ids}
      nameOf={nameOf}
      other={t('otherSegment')}
      onChoose={(id) => onChange([...ids, id])}
      onRemove={(id) => onChange(ids.filter((each) => each !== id))}
    />
  );
}

const nameOf = ({ name, size }: Segment): string => `${name} (${size.toLocaleString(language)})`;

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
          // Allows selecting the same file again.
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

/** Contacts that an API client selected by id. */
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
