import { useMutation } from '@tanstack/react-query';
import { CircleStop, Timer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Rehearsal, type RehearsalProgress, rehearse } from '../../../api/rehearsals';
import { Button } from '../../../kit/button';
import { Card } from '../../../kit/page';
import { Refusal } from './refusal';
import { rehearsalMessages as t } from './rehearsal-messages';
import { RehearsalPhones } from './rehearsal-phones';
import { RehearsalResult } from './rehearsal-result';

interface RehearsalCardProps {
  /** The body that would be stored. */
  readonly body: object;
  readonly isReady: boolean;
}

/** Simulates the broadcast within the limits of its platforms. Shows its duration and what recipients would see. */
export function RehearsalCard({ body, isReady }: RehearsalCardProps) {
  const { run, stop, progress, isRunning, error, found, of } = useRehearsal();
  const isOld = found !== undefined && of !== JSON.stringify(body);
  return (
    <Card title={t('title')} description={t('help')}>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={!isReady || isRunning} onClick={() => run(body)}>
          <Timer aria-hidden className="size-4" />
          {t(found === undefined ? 'rehearse' : 'again')}
        </Button>
        {isRunning && (
          <Button onClick={stop}>
            <CircleStop aria-hidden className="size-4" />
            {t('stop')}
          </Button>
        )}
        <p role="status" className="text-muted text-sm">
          {isRunning && saidOf(progress)}
          {!isRunning && isOld && t('old')}
        </p>
      </div>
      {error !== null && !isRunning && <Refusal error={error} />}
      {found !== undefined && (
        <div aria-busy={isRunning} className={`flex flex-col gap-4 ${isOld ? 'opacity-60' : ''}`}>
          <RehearsalResult rehearsal={found} />
          <RehearsalPhones rehearsal={found} />
        </div>
      )}
    </Card>
  );
}

function saidOf(progress: RehearsalProgress | undefined): string {
  if (progress === undefined) return t('beginning');
  const { stage, done, total } = progress;
  return t(stage, { done, total });
}

interface Found {
  readonly rehearsal: Rehearsal;
  /** The simulated broadcast, as JSON. */
  readonly of: string;
}

/** Leaving the page stops the simulation in the service. */
function useRehearsal() {
  const [progress, setProgress] = useState<RehearsalProgress>();
  const [found, setFound] = useState<Found>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: object): Promise<Found | undefined> => {
      const controller = new AbortController();
      running.current = controller;
      setProgress(undefined);
      try {
        const rehearsal = await rehearse(body, setProgress, controller.signal);
        return { rehearsal, of: JSON.stringify(body) };
      } catch (cause) {
        if (controller.signal.aborted) return undefined;
        throw cause;
      }
    },
    onSuccess: (result) => result !== undefined && setFound(result),
  });
  return {
    run: mutate,
    stop: () => running.current?.abort(),
    progress,
    isRunning: isPending,
    error,
    found: found?.rehearsal,
    of: found?.of,
  };
}
