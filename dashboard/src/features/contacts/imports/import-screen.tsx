import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { usePermissions } from '../../../api/session';
import { momentTime } from '../../../i18n/time';
import { BackLink } from '../../../kit/back-link';
import { ErrorState, SkeletonList } from '../../../kit/feedback';
import { Page } from '../../../kit/page';
import { ImportResult } from './import-result';
import { MappingForm } from './mapping-form';
import { messages as t } from './messages';
import { importQuery } from './queries';

/** Shows an upload that needs a mapping, or the result of an import. */
export function ImportScreen() {
  const { id } = useParams({ from: '/shell/contacts/imports/$id' });
  const { canWrite } = usePermissions();
  const { data, error, refetch } = useQuery(importQuery(id));
  return (
    <Page
      title={data?.file_name ?? t('title')}
      back={<BackLink to="/contacts/imports">{t('imports')}</BackLink>}
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={5} />}
      {data !== undefined && (
        <p className="text-muted text-sm">
          {t('created_at')}: {momentTime(data.created_at)}
        </p>
      )}
      {data?.status === 'uploaded' && canWrite && <MappingForm upload={data} />}
      {data !== undefined && (data.status !== 'uploaded' || !canWrite) && (
        <ImportResult found={data} canWrite={canWrite} />
      )}
    </Page>
  );
}
