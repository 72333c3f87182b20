import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { usePermissions } from '../../../api/session';
import { shortTime } from '../../../i18n/time';
import { Badge } from '../../../kit/badge';
import { RecordList } from '../../../kit/record-list';
import { BroadcastsPage } from '../broadcasts-page';
import { messages as t } from './messages';
import { type Template, templateListQuery, useDeleteTemplate } from './queries';
import { TemplateDialog } from './template-dialog';

/** Named texts for broadcasts and the inbox. */
export function TemplatesScreen() {
  const { canWrite } = usePermissions();
  return (
    <RecordList<Template>
      page={BroadcastsPage}
      canChange={canWrite}
      list={useInfiniteQuery(templateListQuery)}
      icon={FileText}
      t={t}
      columns={[
        { title: t('name'), cell: (template) => <Name template={template} /> },
        { title: t('variables'), isMinor: true, cell: ({ variables }) => <Variables names={variables} /> },
        { title: t('changed'), isMinor: true, cell: ({ updated_at: at }) => shortTime(at) },
      ]}
      dialog={(template, close) => (
        <TemplateDialog {...(template !== undefined && { template })} onClose={close} />
      )}
      useRemove={useDeleteTemplate}
    />
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
