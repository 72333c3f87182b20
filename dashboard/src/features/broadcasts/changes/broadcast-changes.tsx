import { useQuery } from '@tanstack/react-query';
import { CircleStop, ListChecks } from 'lucide-react';
import { useState } from 'react';
import type { BroadcastChange } from '../../../api/broadcast-paths';
import { usePermissions } from '../../../api/session';
import { momentTime } from '../../../i18n/time';
import { Status, type Tone } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { ErrorState } from '../../../kit/feedback';
import { Card } from '../../../kit/page';
import { platformName } from '../../../kit/platform';
import { showError } from '../../../kit/toast';
import { type Broadcast, isFinal } from '../queries';
import { ChangeBar } from './change-bar';
import { ChangeResults } from './change-results';
import { changeMessages as t } from './messages';
import { changesQuery, isRunning, useStopChange } from './queries';

const TONES: Readonly<Record<BroadcastChange['status'], Tone>> = {
  running: 'info',
  stopping: 'warning',
  completed: 'success',
  stopped: 'neutral',
};

/** The edits and recalls of a broadcast with their progress, newest first. */
export function BroadcastChanges({ broadcast }: { readonly broadcast: Broadcast }) {
  const { data, error, refetch } = useQuery({ ...changesQuery(broadcast.id), enabled: isFinal(broadcast) });
  if (error !== null && data === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (data ?? []).map((change) => <Change key={change.id} change={change} />);
}

function Change({ change }: { readonly change: BroadcastChange }) {
  const { kind, status, text, created_at, ended_at, platforms, has_rows } = change;
  const [isOpen, setOpen] = useState(false);
  const time = momentTime(created_at);
  return (
    <Card title={t(`${kind}At`, { time })}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Status tone={TONES[status]}>{t(`is_${status}`)}</Status>
        <span className="flex flex-wrap gap-2">
          {status === 'running' && <Stop change={change} />}
          {has_rows && (
            <Button
              aria-expanded={isOpen}
              aria-label={t('resultsOf', { change: t(`${kind}At`, { time }) })}
              onClick={() => setOpen(!isOpen)}
            >
              <ListChecks aria-hidden className="size-4" />
              {t('results')}
            </Button>
          )}
        </span>
      </div>
      {text !== null && <p className="untrusted whitespace-pre-wrap break-words text-sm">{text}</p>}
      {platforms.map((each) => (
        <div key={each.platform} className="grid gap-x-4 gap-y-1 sm:grid-cols-[8rem_1fr]">
          <span className="untrusted truncate font-medium text-sm">{platformName(each.platform)}</span>
          <ChangeBar counts={each} kind={kind} isRunning={isRunning(change)} />
        </div>
      ))}
      {ended_at !== null && (
        <p className="text-muted text-sm">{t('endedAt', { time: momentTime(ended_at) })}</p>
      )}
      {isOpen && <ChangeResults change={change} />}
    </Card>
  );
}

function Stop({ change }: { readonly change: BroadcastChange }) {
  const { canWrite } = usePermissions();
  const stop = useStopChange(change);
  if (!canWrite) return null;
  return (
    <Button disabled={stop.isPending} onClick={() => stop.mutate(undefined, { onError: showError })}>
      <CircleStop aria-hidden className="size-4" />
      {t(`${change.kind}Stop`)}
    </Button>
  );
}
