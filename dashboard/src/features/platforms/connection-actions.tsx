import { CircleCheck, CircleX, Pause, Play, RefreshCw, Stethoscope, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../kit/button';
import { showError, showToast } from '../../kit/toast';
import { DeleteConnection } from './delete-connection';
import { messages as t } from './messages';
import { type Connection, useChangeConnection, useReconnect, useTest } from './queries';

export function ConnectionActions({ connection }: { readonly connection: Connection }) {
  const { id, enabled, name } = connection;
  const test = useTest(id);
  const reconnect = useReconnect(id);
  const change = useChangeConnection(id);
  const [isDeleting, setDeleting] = useState(false);
  const toggle = () =>
    change.mutate(
      { enabled: !enabled },
      { onError: showError, onSuccess: () => showToast(t(enabled ? 'paused' : 'resumed', { name })) },
    );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button disabled={test.isPending} onClick={() => test.mutate(undefined, { onError: showError })}>
          <Stethoscope aria-hidden className="size-4" />
          {test.isPending ? t('testing') : t('test')}
        </Button>
        {enabled && (
          <Button
            disabled={reconnect.isPending}
            onClick={() => reconnect.mutate(undefined, { onError: showError })}
          >
            <RefreshCw aria-hidden className="size-4" />
            {t('reconnect')}
          </Button>
        )}
        <Button disabled={change.isPending} onClick={toggle}>
          {enabled ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
          {enabled ? t('pause') : t('resume')}
        </Button>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden className="size-4" />
          {t('delete')}
        </Button>
      </div>
      {enabled ? null : <p className="text-muted text-sm">{t('pausedHelp')}</p>}
      {test.data !== undefined && <TestResult result={test.data} />}
      {isDeleting && <DeleteConnection connection={connection} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function TestResult({ result }: { readonly result: NonNullable<ReturnType<typeof useTest>['data']> }) {
  const { ok, latency_ms, checks } = result;
  return (
    <section
      aria-label={t('testResult')}
      role="status"
      className="untrusted flex flex-col gap-1 rounded-md border border-line bg-canvas p-3 text-sm"
    >
      <p className="font-medium">{t(ok ? 'testPassed' : 'testFailed', { ms: latency_ms })}</p>
      <ul className="flex flex-col gap-1">
        {checks.map((check) => (
          <li key={check.name} className="flex gap-2">
            {check.ok ? (
              <CircleCheck aria-label={t('ok')} className="mt-0.5 size-4 shrink-0 text-success" />
            ) : (
              <CircleX aria-label={t('notOk')} className="mt-0.5 size-4 shrink-0 text-danger" />
            )}
            <span className="min-w-0 break-words">{check.message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
