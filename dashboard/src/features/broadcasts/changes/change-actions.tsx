import { useQuery } from '@tanstack/react-query';
import { PencilLine, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { ChangeKind } from '../../../api/broadcast-paths';
import { Button } from '../../../kit/button';
import type { Broadcast } from '../queries';
import { changeMessages as t } from './messages';
import { changesQuery, isRunning } from './queries';
import { StartChange } from './start-change';

/** Whether recipients have received messages of the broadcast, or may have. */
const wasSent = ({ status, counts }: Broadcast): boolean =>
  status !== 'failed' && counts.sent + counts.delivered + counts.read + counts.uncertain > 0;

/** The buttons that edit or recall the sent messages of an ended broadcast. */
export function ChangeActions({ broadcast }: { readonly broadcast: Broadcast }) {
  const { data } = useQuery(changesQuery(broadcast.id));
  const [asking, setAsking] = useState<ChangeKind>();
  const isOver =
    data === undefined ||
    data.some((change) => isRunning(change) || (change.kind === 'recall' && change.status === 'completed'));
  if (!wasSent(broadcast)) return null;
  return (
    <>
      {!isOver && (
        <>
          <Button onClick={() => setAsking('edit')}>
            <PencilLine aria-hidden className="size-4" />
            {t('edit')}
          </Button>
          <Button kind="danger" onClick={() => setAsking('recall')}>
            <Undo2 aria-hidden className="size-4" />
            {t('recall')}
          </Button>
        </>
      )}
      {asking !== undefined && (
        <StartChange broadcast={broadcast} kind={asking} onClose={() => setAsking(undefined)} />
      )}
    </>
  );
}
