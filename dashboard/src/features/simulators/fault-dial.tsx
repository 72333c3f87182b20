import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Simulator, SimulatorFault } from '../../api/simulator-paths';
import { Status } from '../../kit/badge';
import { Button } from '../../kit/button';
import { Select } from '../../kit/select';
import { callsQuery, useClearFaults, useSetFault } from './queries';
import { messages as t } from './trouble-messages';

const WAITS = {
  5: t('seconds', { count: 5 }),
  30: t('seconds', { count: 30 }),
  120: t('seconds', { count: 120 }),
};
const TIMES = { 1: t('calls', { count: 1 }), 3: t('calls', { count: 3 }), 10: t('calls', { count: 10 }) };

const NAMES: Readonly<Record<string, Parameters<typeof t>[0]>> = {
  rate_limited: 'rateLimited',
  status: 'serverError',
  drop_before: 'dropBefore',
  drop_after: 'dropAfter',
};

/** The label of a fault. A fault without a label is shown by its kind. */
export function faultName(kind: string): string {
  const name = NAMES[kind];
  return name === undefined ? kind : t(name);
}

export function FaultDial({ simulator }: { readonly simulator: Simulator }) {
  const { platform, status } = simulator;
  const [wait, setWait] = useState('5');
  const [times, setTimes] = useState('1');
  const { mutate, isPending } = useSetFault(platform);
  const count = { times: Number(times) };
  const dial: readonly SimulatorFault[] = [
    { kind: 'rate_limited', retry_after_s: Number(wait), ...count },
    { kind: 'status', status: 503, ...count },
    { kind: 'drop_before', ...count },
    { kind: 'drop_after', ...count },
  ];
  return (
    <section aria-label={t('dial')} className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-4">
        <Choice title={t('times')}>
          <Select label={t('times')} value={times} onChange={setTimes} options={TIMES} />
        </Choice>
        <Choice title={t('wait')}>
          <Select label={t('wait')} value={wait} onChange={setWait} options={WAITS} />
        </Choice>
      </div>
      <Group title={t('nextCalls')}>
        {dial.map((fault) => (
          <Button key={fault.kind} disabled={isPending} onClick={() => mutate(fault)}>
            {faultName(fault.kind)}
          </Button>
        ))}
      </Group>
      <Group title={t('atOnce')}>
        <Button disabled={isPending} onClick={() => mutate({ kind: 'disconnect' })}>
          {t('disconnect')}
        </Button>
        <Button kind="danger" disabled={isPending} onClick={() => mutate({ kind: 'revoke_token' })}>
          {t('revoke')}
        </Button>
        {status !== 'connected' && (
          <Button kind="primary" disabled={isPending} onClick={() => mutate({ kind: 'restore_token' })}>
            <KeyRound aria-hidden className="size-4" />
            {t('restore')}
          </Button>
        )}
      </Group>
      <Waiting platform={platform} />
    </section>
  );
}

interface TitledProps {
  readonly title: string;
  readonly children: ReactNode;
}

function Choice({ title, children }: TitledProps) {
  return (
    <div className="flex w-40 flex-col gap-1 max-sm:w-auto max-sm:grow max-sm:basis-28">
      <span aria-hidden className="text-muted text-xs">
        {title}
      </span>
      {children}
    </div>
  );
}

function Group({ title, children }: TitledProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
      <legend className="mb-1 text-muted text-xs">{title}</legend>
      {children}
    </fieldset>
  );
}

function Waiting({ platform }: { readonly platform: string }) {
  const { data } = useQuery(callsQuery(platform));
  const clear = useClearFaults(platform);
  const faults = data?.faults ?? [];
  if (faults.length === 0) return <p className="text-muted text-sm">{t('noFaults')}</p>;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {faults.map(({ kind, times }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they strike in this order.
        <Status key={index} tone="warning">{`${faultName(kind)} · ${t('calls', { count: times })}`}</Status>
      ))}
      <Button size="sm" kind="quiet" disabled={clear.isPending} onClick={() => clear.mutate()}>
        {t('clear')}
      </Button>
    </div>
  );
}
