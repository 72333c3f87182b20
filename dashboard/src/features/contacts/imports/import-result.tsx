import { Download, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { ContactImport } from '../../../api/import-paths';
import { Status } from '../../../kit/badge';
import { Button, buttonLook } from '../../../kit/button';
import { ConfirmDialog } from '../../../kit/confirm-dialog';
import { Card } from '../../../kit/page';
import { ImportRows } from './import-rows';
import { messages as t } from './messages';
import { failedRowsUrl, isWorking, useUndoImport } from './queries';
import { TONES } from './texts';

interface ImportResultProps {
  readonly found: ContactImport;
  readonly canWrite: boolean;
}

/** The progress of an import or its undo, and the results of the rows. */
export function ImportResult({ found, canWrite }: ImportResultProps) {
  const { id, status, counts } = found;
  const [isUndoing, setUndoing] = useState(false);
  const canUndo = canWrite && (status === 'running' || (status === 'completed' && counts.created > 0));
  return (
    <>
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Status tone={TONES[status]}>{t(status)}</Status>
          <div className="flex flex-wrap gap-2">
            {counts.failed > 0 && (
              <a href={failedRowsUrl(id)} download className={buttonLook()}>
                <Download aria-hidden className="size-4" />
                {t('downloadFailed')}
              </a>
            )}
            {canUndo && (
              <Button kind="danger" onClick={() => setUndoing(true)}>
                <Undo2 aria-hidden className="size-4" />
                {t('undo')}
              </Button>
            )}
          </div>
        </div>
        {isWorking(found) && <Progress found={found} />}
        <Counts found={found} />
        {status === 'undone' && <Undone counts={counts} />}
      </Card>
      <ImportRows key={status} found={found} />
      {isUndoing && <ConfirmUndo id={id} onClose={() => setUndoing(false)} />}
    </>
  );
}

function Progress({ found: { status, rows, counts } }: { readonly found: ContactImport }) {
  const isUndo = status === 'undoing';
  const total = isUndo ? counts.created : rows;
  const done = isUndo
    ? counts.removed + counts.kept
    : counts.created + counts.updated + counts.unchanged + counts.failed;
  const text = t(isUndo ? 'undoProgress' : 'progress', { done, total });
  return (
    <div className="flex flex-col gap-1">
      <progress
        aria-label={text}
        value={done}
        max={Math.max(total, 1)}
        className="h-1.5 w-full overflow-hidden rounded-full accent-accent"
      />
      <p className="text-muted text-sm tabular-nums">{text}</p>
    </div>
  );
}

function Counts({ found: { counts, status } }: { readonly found: ContactImport }) {
  const isUndo = status === 'undoing' || status === 'undone';
  const shown = [
    ...(['created', 'updated', 'unchanged', 'failed'] as const),
    ...(isUndo ? (['removed', 'kept'] as const) : []),
  ];
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {shown.map((name) => (
        <div key={name}>
          <dt className="text-muted text-sm">{t(name)}</dt>
          <dd className="font-semibold text-lg tabular-nums">{counts[name]}</dd>
        </div>
      ))}
    </dl>
  );
}

function Undone({ counts: { removed, kept, updated } }: Pick<ContactImport, 'counts'>) {
  return (
    <p className="text-sm">
      {t('undoneHelp', { removed, kept })} {updated > 0 && t('updatedStay', { updated })}
    </p>
  );
}

function ConfirmUndo({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const undo = useUndoImport(id);
  return (
    <ConfirmDialog
      title={t('undoTitle')}
      description={t('undoHelp')}
      action={t('undo')}
      isDanger
      isPending={undo.isPending}
      error={undo.error}
      onConfirm={() => undo.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
