import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from '../../kit/button';
import { messages as t } from './messages';

type LoadMoreProps = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

/** Loads the next page of a list. Shows nothing after the last page. */
export function LoadMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: LoadMoreProps) {
  if (!hasNextPage) return null;
  return (
    <div className="flex justify-center p-3">
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('more')}
      </Button>
    </div>
  );
}
