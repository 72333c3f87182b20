import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { PlatformCall, Simulator } from '../../api/simulator-paths';
import { clockTime } from '../../i18n/time';
import { Status } from '../../kit/badge';
import { Checkbox } from '../../kit/checkbox';
import { EmptyState } from '../../kit/feedback';
import { Table } from '../../kit/table';
import { faultName } from './fault-dial';
import { callsQuery } from './queries';
import { messages as t } from './trouble-messages';

const SHOWN = 25;

/** The most recent API calls that Trunkline made to the platform. */
export function CallLog({ simulator }: { readonly simulator: Simulator }) {
  const [isFull, setFull] = useState(false);
  const { data } = useQuery(callsQuery(simulator.platform));
  const all = data?.calls ?? [];
  const calls = all.filter(
    ({ committed, fault, status }) => isFull || committed || fault !== null || status >= 400,
  );
  return (
    <section aria-label={t('log')} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">{t('log')}</h3>
        <Checkbox isChecked={isFull} onChange={setFull}>
          {t('reads')}
        </Checkbox>
      </div>
      {calls.length === 0 ? (
        <EmptyState icon={ScrollText} title={t('noCalls')}>
          {t('noCallsHelp')}
        </EmptyState>
      ) : (
        <Table
          label={t('log')}
          rows={calls.slice(0, SHOWN)}
          rowKey={({ number }) => String(number)}
          columns={[
            { title: t('answer'), cell: (call) => <Answer call={call} /> },
            { title: t('call'), cell: (call) => <Call call={call} /> },
            { title: t('time'), isMinor: true, cell: ({ at }) => <time dateTime={at}>{clockTime(at)}</time> },
          ]}
        />
      )}
    </section>
  );
}

function Answer({ call: { status, fault, committed } }: { readonly call: PlatformCall }) {
  const text = status === 0 ? t('noAnswer') : String(status);
  const tone = status === 0 || status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success';
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Status tone={tone}>{text}</Status>
      {fault !== null && <span className="text-warning text-xs">{faultName(fault)}</span>}
      {fault !== null && committed && <span className="text-muted text-xs">{t('written')}</span>}
    </span>
  );
}

function Call({ call: { call, request } }: { readonly call: PlatformCall }) {
  return (
    <details className="min-w-0 max-w-48 sm:max-w-xl">
      <summary className="truncate font-mono text-xs">{call}</summary>
      <pre className="untrusted mt-1 whitespace-pre-wrap rounded-md bg-canvas p-2 font-mono text-xs">
        {request}
      </pre>
    </details>
  );
}
