import { useInfiniteQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { usePermissions } from '../../../api/session';
import { language } from '../../../i18n/language';
import { shortTime } from '../../../i18n/time';
import { RecordList } from '../../../kit/record-list';
import { BroadcastsPage } from '../broadcasts-page';
import { messages as t } from './messages';
import { type Segment, segmentListQuery, useDeleteSegment } from './queries';
import { CreateSegment, EditSegment } from './segment-dialogs';

/** The named audiences. */
export function SegmentsScreen() {
  const { canWrite } = usePermissions();
  return (
    <RecordList<Segment>
      page={BroadcastsPage}
      canChange={canWrite}
      list={useInfiniteQuery(segmentListQuery)}
      icon={UsersRound}
      t={t}
      columns={[
        { title: t('name'), cell: (segment) => <Name segment={segment} /> },
        { title: t('size'), cell: ({ size }) => size.toLocaleString(language) },
        { title: t('created'), isMinor: true, cell: ({ created_at: at }) => shortTime(at) },
      ]}
      dialog={(segment, close) =>
        segment === undefined ? (
          <CreateSegment onClose={close} />
        ) : (
          <EditSegment segment={segment} onClose={close} />
        )
      }
      useRemove={useDeleteSegment}
    />
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
