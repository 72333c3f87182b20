import { useParams } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { EmptyState } from '../../kit/feedback';
import { PageTitle } from '../../kit/page-title';
import { DraftFilesProvider } from './attaching';
import { ConversationList } from './conversation-list';
import { ConversationPane } from './conversation-pane';
import { messages as t } from './messages';
import { useDeclaredShortcuts } from './shortcuts';

/** Shows the list and the conversation next to each other. Phones show one of them. */
export function InboxScreen() {
  const { number } = useParams({ strict: false });
  const isChosen = number !== undefined;
  useDeclaredShortcuts();
  return (
    <DraftFilesProvider>
      <div className="flex h-full bg-surface">
        <PageTitle title={t('title')} />
        <div
          className={`w-full shrink-0 border-line md:w-80 md:border-r min-[88rem]:w-88 ${isChosen ? 'hidden md:block' : ''}`}
        >
          <ConversationList />
        </div>
        <div className={`min-w-0 grow ${isChosen ? '' : 'hidden md:flex'}`}>
          {isChosen ? (
            <ConversationPane key={number} number={Number(number)} />
          ) : (
            <EmptyState icon={MessagesSquare} title={t('choose')}>
              {t('chooseText')}
            </EmptyState>
          )}
        </div>
      </div>
    </DraftFilesProvider>
  );
}
