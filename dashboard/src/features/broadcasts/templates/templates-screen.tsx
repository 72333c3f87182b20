import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../../api/session';
import { shortTime } from '../../../i18n/time';
import { Badge } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { ConfirmDialog } from '../../../kit/confirm-dialog';
import { EmptyState, ErrorState, SkeletonList } from '../../../kit/feedback';
import { Table } from '../../../kit/table';
import { BroadcastsPage } from '../broadcasts-page';
import { messages as t } from './messages';
import { type Template, templateListQuery, useDeleteTemplate } from './queries';
import { TemplateDialog } from './template-dialog';

/** Texts with a name, for broadcasts and for the inbox. */
export function TemplatesScreen() {
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
      <Templates canWrite={canWrite} />
      {isCreating && <TemplateDialog onClose={() => setCreating(false)} />}
    </BroadcastsPage>
  );
}

function Templates({ canWrite }: { readonly canWrite: boolean }) {
  const templates = useInfiniteQuery(templateListQuery);
  if (templates.isPending) return <SkeletonList rows={5} />;
  if (templates.isError && templates.data === undefined)
    return <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />;
  const rows = templates.data?.pages.flatMap(({ data }) => data) ?? [];
  if (rows.length === 0)
    return (
      <EmptyState icon={FileText} title={t('none')}>
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
          { title: t('name'), cell: (template) => <Name template={template} /> },
          { title: t('variables'), isMinor: true, cell: ({ variables }) => <Variables names={variables} /> },
          { title: t('changed'), isMinor: true, cell: ({ updated_at: at }) => shortTime(at) },
          ...(canWrite
            ? [{ title: t('actions'), cell: (template: Template) => <Actions template={template} /> }]
            : []),
        ]}
      />
      {templates.hasNextPage && (
        <Button className="self-center" onClick={() => void templates.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function Name({ template: { name, text } }: { readonly template: Template }) {
  return (
    <div className="min-w-0 max-w-44 sm:max-w-80">
      <p className="truncate font-medium">{name}</p>
      <p className="truncate text-muted text-xs">{text}</p>
    </div>
  );
}

const SHOWN = 4;

function Variables({ names }: { readonly names: readonly string[] }) {
  const shown = [...new Set(names)];
  return (
    <div className="flex flex-wrap gap-1">
      {shown.slice(0, SHOWN).map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
      {shown.length > SHOWN && <Badge>{`+${shown.length - SHOWN}`}</Badge>}
    </div>
  );
}

function Actions({ template }: { readonly template: Template }) {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const { name } = template;
  return (
    <div className="flex justify-end gap-1">
      <Button size="icon" kind="quiet" aria-label={t('editOf', { name })} onClick={() => setOpen('edit')}>
        <Pencil aria-hidden className="size-4" />
      </Button>
      <Button size="icon" kind="quiet" aria-label={t('deleteOf', { name })} onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden className="size-4" />
      </Button>
      {open === 'edit' && <TemplateDialog template={template} onClose={close} />}
      {open === 'delete' && <DeleteTemplate template={template} onClose={close} />}
    </div>
  );
}

interface DeleteTemplateProps {
  readonly template: Template;
  readonly onClose: () => void;
}

function DeleteTemplate({ template: { id, name }, onClose }: DeleteTemplateProps) {
  const remove = useDeleteTemplate(id);
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
