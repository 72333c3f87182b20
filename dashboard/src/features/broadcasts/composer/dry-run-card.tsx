import { useQuery } from '@tanstack/react-query';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import { usePeople } from '../../../api/people';
import { Button } from '../../../kit/button';
import { SkeletonList } from '../../../kit/feedback';
import { Card } from '../../../kit/page';
import { PlatformBadge } from '../../../kit/platform';
import { ScrolledText } from '../../../kit/scrolled-text';
import { useSettled } from '../../../kit/settled';
import { DryRunSummary } from '../dry-run-summary';
import type { DryRun } from '../queries';
import { chosenQuery, SEGMENTS } from './found';
import { messages as t } from './messages';
import type { Plan } from './plan';
import { type Body, rehearsalQuery } from './queries';
import { Refusal } from './refusal';

const PAUSE_MS = 600;
/** Above this number of recipients a dry run takes seconds, so it runs only on request. */
const MANY = 10_000;

interface DryRunCardProps {
  readonly body: Body;
  readonly isReady: boolean;
  readonly plan: Pick<Plan, 'segmentIds'>;
  readonly isMarkdown: boolean;
  /** The names of the files sent with each message. */
  readonly files: readonly string[];
}

/** Shows the predicted recipients and messages, and the skipped recipients, before anything is sent. */
export function DryRunCard({ body, isReady, plan, isMarkdown, files }: DryRunCardProps) {
  const settled = useSettled(body, PAUSE_MS);
  const key = JSON.stringify(settled);
  const [asked, setAsked] = useState('');
  const [size, setSize] = useState(0);
  const segments = useSize(plan.segmentIds);
  const isLarge = Math.max(segments ?? 0, size) > MANY;
  const isAsked = !isLarge || asked === key;
  const isSettled = key === JSON.stringify(body);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...rehearsalQuery(settled),
    // The last settled value may have been incomplete.
    enabled: isReady && isAsked && isSettled && segments !== undefined,
  });
  const found = data === undefined ? 0 : sizeOf(data);
  if (data !== undefined && !isPlaceholderData && found !== size) setSize(found);
  const isOld = isPlaceholderData || !isSettled;
  return (
    <Card title={t('dryRun')} description={t('dryRunHelp')}>
      {!isReady && <p className="text-muted text-sm">{t('dryRunNeeds')}</p>}
      {isReady && error !== null && <Refusal error={error} />}
      {isReady && data === undefined && isFetching && <SkeletonList rows={2} />}
      {isReady && data !== undefined && error === null && (
        <div aria-busy={isOld || isFetching} className={isOld ? 'opacity-60' : ''}>
          <DryRunSummary dryRun={data} />
          <Samples samples={data.samples} isMarkdown={isMarkdown} files={files} />
        </div>
      )}
      {isReady && isLarge && (
        <Button className="self-start" disabled={isAsked} onClick={() => setAsked(key)}>
          {t(isAsked && isFetching ? 'checking' : 'check')}
        </Button>
      )}
    </Card>
  );
}

const sizeOf = ({ recipients, skips }: DryRun): number =>
  Object.values(skips).reduce((sum, count) => sum + count, recipients);

/** Number of contacts in the selected segments. Contacts may be counted twice. Undefined while loading. */
function useSize(segmentIds: readonly string[]): number | undefined {
  const isNone = segmentIds.length === 0;
  const chosen = useQuery({ ...chosenQuery(SEGMENTS, segmentIds), enabled: !isNone });
  if (isNone) return 0;
  if (chosen.isPending || chosen.isPlaceholderData) return undefined;
  return (chosen.data ?? []).reduce((sum, { size }) => sum + size, 0);
}

interface SamplesProps extends Pick<DryRun, 'samples'> {
  readonly isMarkdown: boolean;
  readonly files: readonly string[];
}

function Samples({ samples, isMarkdown, files }: SamplesProps) {
  const people = usePeople(samples.map(({ user_id: id }) => id));
  if (samples.length === 0) return null;
  return (
    <ul aria-label={t('samples')} className="mt-4 grid gap-3 sm:grid-cols-2">
      {samples.map(({ user_id: id, platform, text, parts }) => (
        <li key={id} className="flex min-w-0 flex-col gap-1.5 rounded-md border border-line p-3 text-sm">
          <p className="flex min-w-0 items-center gap-2">
            <PlatformBadge platform={platform} />
            <span className="untrusted truncate font-medium">
              {people.get(id)?.display_name ?? t('newContact')}
            </span>
            <span className="ml-auto shrink-0 text-muted text-xs">{t('parts', { count: parts })}</span>
          </p>
          <ScrolledText text={text} isMarkdown={isMarkdown} />
          {files.length > 0 && (
            <p className="untrusted flex min-w-0 items-center gap-1 text-muted">
              <Paperclip aria-label={t('files')} className="size-3.5 shrink-0" />
              <span className="truncate">{files.join(', ')}</span>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
