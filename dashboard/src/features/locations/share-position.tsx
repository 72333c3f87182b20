import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { explain } from '../../api/errors';
import { randomId } from '../../api/random-id';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { SkeletonList } from '../../kit/feedback';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { conversationsOfQuery, type Point, useSharePosition } from './queries';

interface SharePositionProps {
  readonly userId: string;
  readonly name: string;
  readonly at: Point;
  readonly onClose: () => void;
}

/** Sends the last position to one of the person's conversations. */
export function SharePosition({ userId, name, at, onClose }: SharePositionProps) {
  const conversations = useQuery(conversationsOfQuery(userId));
  const [key] = useState(randomId);
  const share = useSharePosition(key);
  const send = (conversationId: string) =>
    share.mutate(
      { conversationId, at },
      {
        onSuccess: () => {
          showToast(t('wasShared'));
          onClose();
        },
      },
    );
  const error = share.error ?? conversations.error;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('shareTitle', { name })}
      description={t('shareHelp')}
      actions={<Button onClick={onClose}>{t('cancel')}</Button>}
    >
      {conversations.isPending && <SkeletonList rows={3} />}
      {conversations.data?.length === 0 && <p className="text-sm">{t('shareNone', { name })}</p>}
      <ul className="flex max-h-60 flex-col overflow-y-auto">
        {conversations.data?.map(({ id, title, number }) => (
          <li key={id}>
            <button
              type="button"
              disabled={share.isPending}
              onClick={() => send(id)}
              className="untrusted w-full truncate rounded-md px-2 py-1.5 text-left text-sm touch:min-h-10 hover:bg-hover"
            >
              {title || t('untitled', { number })}
            </button>
          </li>
        ))}
      </ul>
      {error !== null && (
        <p role="alert" className="text-danger text-sm">
          {explain(error).advice}
        </p>
      )}
    </Dialog>
  );
}
