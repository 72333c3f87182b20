import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react';
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react';
import { Button } from './button';
import { ConfirmDialog } from './confirm-dialog';
import { EmptyState, ErrorState, SkeletonList } from './feedback';
import { Table } from './table';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The texts that each list of named records defines. */
type ListText =
  | 'title'
  | 'help'
  | 'new'
  | 'none'
  | 'noneHelp'
  | 'actions'
  | 'more'
  | 'editOf'
  | 'deleteOf'
  | 'deleteTitle'
  | 'deleteHelp'
  | 'delete';

interface Removal {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly mutate: (nothing: undefined, options: { readonly onSuccess: () => void }) => void;
}

interface PageProps {
  readonly title: string;
  readonly description: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

interface RecordListProps<T extends Named> {
  /** The frame of the screen. */
  readonly page: ComponentType<PageProps>;
  /** Whether the user may create, change and delete records. */
  readonly canChange: boolean;
  readonly list: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly T[] }>>;
  readonly icon: LucideIcon;
  readonly t: (text: ListText, values?: Readonly<Record<string, string>>) => string;
  readonly columns: ComponentProps<typeof Table<T>>['columns'];
  /** The dialog that creates a record, or changes the given one. */
  readonly dialog: (record: T | undefined, onClose: () => void) => ReactNode;
  readonly useRemove: (id: string) => Removal;
}

/** A screen of named records that users create, change and delete. */
export function RecordList<T extends Named>(props: RecordListProps<T>) {
  const { page: Page, canChange, t, dialog } = props;
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t('new')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('help')} actions={canChange ? create : undefined}>
      <Records {...props} />
      {isCreating && dialog(undefined, () => setCreating(false))}
    </Page>
  );
}

function Records<T extends Named>(props: RecordListProps<T>) {
  const { list, icon, t, columns, canChange } = props;
  if (list.isPending) return <SkeletonList rows={5} />;
  if (list.data === undefined) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const rows = list.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0)
    return (
      <EmptyState icon={icon} title={t('none')}>
        {t('noneHelp')}
      </EmptyState>
    );
  const actions = {
    title: t('actions'),
    isAction: true,
    cell: (record: T) => <Actions {...props} record={record} />,
  };
  return (
    <>
      <Table
        label={t('title')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={canChange ? [...columns, actions] : columns}
      />
      {list.hasNextPage && (
        <Button className="self-center" onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

type RecordProps<T extends Named> = RecordListProps<T> & { readonly record: T };

function Actions<T extends Named>(props: RecordProps<T>) {
  const { t, dialog, record } = props;
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const { name } = record;
  return (
    <div className="flex justify-end gap-1">
      <Button size="icon" kind="quiet" aria-label={t('editOf', { name })} onClick={() => setOpen('edit')}>
        <Pencil aria-hidden className="size-4" />
      </Button>
      <Button size="icon" kind="quiet" aria-label={t('deleteOf', { name })} onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden className="size-4" />
      </Button>
      {open === 'edit' && dialog(record, close)}
      {open === 'delete' && <Removing {...props} onClose={close} />}
    </div>
  );
}

function Removing<T extends Named>(props: RecordProps<T> & { readonly onClose: () => void }) {
  const { t, useRemove, record, onClose } = props;
  const remove = useRemove(record.id);
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: record.name })}
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
