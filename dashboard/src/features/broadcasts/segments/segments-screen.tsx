import { useInfiniteQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../../api/session';
import { language } from '../../../i18n/language';
import { shortTime } from '../../../i18n/time';
import { Button } from '../../../kit/button';
import { ConfirmDialog } from '../../../kit/confirm-dialog';
import { EmptyState, ErrorState, SkeletonList } from '../../../kit/feedback';
import { Table } from '../../../kit/table';
import { BroadcastsPage } from '../broadcasts-page';
import { messages as t } from './messages';
import { type Segment, segmentListQuery, useDeleteSegment } from './queries';
import { CreateSegment, EditSegment } from './segment-dialogs';

/** The audiences with a name. */
export function SegmentsScreen() {
  const { canWrite } = usePermissions();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t('new')}
    </Button>
  );
  return (
    <BroadcastsPage title={t('title')} description={t('help')} actions={canWrite ? create : undefined}>
      <Segments canWrite={canWrite} />
      {isCreating && <CreateSegment onClose={() => setCreating(false)} />}
    </BroadcastsPage>
  );
}

function Segments({ canWrite }: { readonly canWrite: boolean }) {
  const segments = useInfiniteQuery(segmentListQuery);
  if (segments.isPending) return <SkeletonList rows={5} />;
  if (segments.isError && segments.data === undefined)
    return <ErrorState error={segments.error} onRetry={() => void segments.refetch()} />;
  const rows = segments.data?.pages.flatMap(({ data }) => data) ?? [];
  if (rows.length === 0)
    return (
      <EmptyState icon={UsersRound} title={t('none')}>
        {t('noneHelp')}
      </EmptyState>
    );
  return (
    <>
      <Table
        label={t('title')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { title: t('name'), cell: (segment) => <Name segment={segment} /> },
          { title: t('size'), cell: ({ size }) => size.toLocaleString(language) },
          { title: t('created'), isMinor: true, cell: ({ created_at: at }) => shortTime(at) },
          ...(canWrite
            ? [{ title: t('actions'), cell: (segment: Segment) => <Actions segment={segment} /> }]
            : []),
        ]}
      />
      {segments.hasNextPage && (
        <Button className="self-center" onClick={() => void segments.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Name({ segment: { name, kind, filter } }: { readonly segment: Segment }) {
  return (
    <div className="min-w-0 max-w-36 sm:max-w-80">
      <p className="truncate font-medium">{name}</p>
      <p className="truncate text-muted text-xs">{filter ?? t(kind)}</p>
    </div>
  );
}

function Actions({ segment }: { readonly segment: Segment }) {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const { name } = segment;
  return (
    <div className="flex justify-end gap-1">
      <Button size="icon" kind="quiet" aria-label={t('editOf', { name })} onClick={() => setOpen('edit')}>
        <Pencil aria-hidden className="size-4" />
      </Button>
      <Button size="icon" kind="quiet" aria-label={t('deleteOf', { name })} onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden className="size-4" />
      </Button>
      {open === 'edit' && <EditSegment segment={segment} onClose={close} />}
      {open === 'delete' && <DeleteSegment segment={segment} onClose={close} />}
    </div>
  );
}

interface DeleteSegmentProps {
  readonly segment: Segment;
  readonly onClose: () => void;
}

function DeleteSegment({ segment: { id, name }, onClose }: DeleteSegmentProps) {
  const remove = useDeleteSegment(id);
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name })}
      description={t('deleteHelp')}
      action={t('delete')}
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
