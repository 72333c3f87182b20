import { Link } from '@tanstack/react-router';
import {
  ArrowLeft,
  Check,
  EllipsisVertical,
  Info,
  Phone,
  RotateCcw,
  UserCheck,
  UserPlus,
  Video,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { joinCall, startCall } from '../../api/calls';
import { usePermissions } from '../../api/session';
import { momentTime } from '../../i18n/time';
import { Badge } from '../../kit/badge';
import { Button, buttonLook } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Menu, MenuItem, MenuSeparator, MenuTitle } from '../../kit/menu';
import { showError } from '../../kit/toast';
import { Tooltip } from '../../kit/tooltip';
import { messages as calls } from './call-messages';
import { TimeItems } from './choose-time';
import { focusComposer } from './composer/focus';
import { useConversationActions } from './conversation-actions';
import { useConversationName } from './conversation-name';
import { ConversationDetails } from './details/conversation-details';
import { messages as details } from './details/messages';
import { messages as t } from './messages';
import { ShortcutHelp } from './shortcut-help';
import { useShortcuts } from './shortcuts';
import { Snooze, SnoozeDialog } from './snooze';
import { Viewers } from './viewers';
import { type Conversation, withoutMessage } from './views';

export function ConversationHeader({ conversation }: { readonly conversation: Conversation }) {
  const name = useConversationName(conversation);
  const { canWrite } = usePermissions();
  return (
    <header className="flex items-center gap-2 border-line border-b px-4 py-2 max-sm:gap-1 max-sm:px-2">
      <Link
        to="/inbox"
        search={withoutMessage}
        aria-label={t('back')}
        className={buttonLook({ kind: 'quiet', size: 'icon', className: 'md:hidden' })}
      >
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
      <div className="flex min-w-0 grow items-center gap-2">
        <h2 className="untrusted truncate font-semibold">{name}</h2>
        <Badge>{statusText(conversation)}</Badge>
      </div>
      <Viewers conversationId={conversation.id} />
      <DetailsButton conversation={conversation} />
      {canWrite && (
        <div className="contents max-sm:hidden">
          <CallButton conversationId={conversation.id} />
        </div>
      )}
      {canWrite && <Actions conversation={conversation} />}
    </header>
  );
}

const statusText = ({ status, snoozed_until: until }: Conversation): string =>
  status === 'snoozed' && until !== null ? t('snoozedUntil', { time: momentTime(until) }) : t(status);

/** Opens the details that wide screens show next to the conversation. */
function DetailsButton({ conversation }: { readonly conversation: Conversation }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="quiet"
        size="icon"
        aria-label={details('details')}
        aria-keyshortcuts="I"
        className="xl:hidden"
        onClick={() => setOpen(true)}
      >
        <Info aria-hidden className="size-4" />
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={details('details')}>
        <ConversationDetails conversation={conversation} />
      </Dialog>
    </>
  );
}

function CallButton({ conversationId }: { readonly conversationId: string }) {
  return (
    <Menu
      trigger={
        <Button kind="quiet" size="icon" aria-label={calls('call')} aria-keyshortcuts="P">
          <Phone aria-hidden className="size-4" />
        </Button>
      }
    >
      <CallItems conversationId={conversationId} />
    </Menu>
  );
}

function CallItems({ conversationId }: { readonly conversationId: string }) {
  const call = (type: 'voice' | 'video') =>
    void joinCall(async () => (await startCall(conversationId, type)).id).catch(showError);
  return (
    <>
      <MenuItem icon={<Phone aria-hidden />} onSelect={() => call('voice')}>
        {calls('voiceCall')}
      </MenuItem>
      <MenuItem icon={<Video aria-hidden />} onSelect={() => call('video')}>
        {calls('videoCall')}
      </MenuItem>
    </>
  );
}

function Actions({ conversation }: { readonly conversation: Conversation }) {
  const { isMine, isOpen, resolve, assign, snooze } = useConversationActions(conversation);
  useShortcuts({ e: resolve, a: assign, r: focusComposer });
  const [isChoosing, setChoosing] = useState(false);
  const assigning = isMine ? t('unassign') : t('assign');
  const AssignIcon = isMine ? UserCheck : UserPlus;
  return (
    <>
      <div className="contents max-sm:hidden">
        <Action title={assigning} shortcut="A" onClick={assign}>
          <AssignIcon aria-hidden className="size-4" />
        </Action>
        {isOpen && <Snooze shortcut="Z" onChoose={snooze} />}
      </div>
      <Button onClick={resolve} className="max-sm:w-10 max-sm:px-0">
        {isOpen ? <Check aria-hidden className="size-4" /> : <RotateCcw aria-hidden className="size-4" />}
        <span className="max-sm:sr-only">{isOpen ? t('resolve') : t('reopen')}</span>
      </Button>
      <div className="contents max-sm:hidden">
        <ShortcutHelp />
      </div>
      <Menu trigger={<MoreButton />}>
        <MenuItem icon={<AssignIcon aria-hidden />} onSelect={assign}>
          {assigning}
        </MenuItem>
        <CallItems conversationId={conversation.id} />
        {isOpen && (
          <>
            <MenuSeparator />
            <MenuTitle>{t('snooze')}</MenuTitle>
            <TimeItems onChoose={snooze} onOther={() => setChoosing(true)} />
          </>
        )}
      </Menu>
      {isChoosing && <SnoozeDialog onChoose={snooze} onClose={() => setChoosing(false)} />}
    </>
  );
}

/** On phones, a menu has the actions for which the header has no space. */
function MoreButton(props: Readonly<Record<string, unknown>>) {
  return (
    <Button {...props} kind="quiet" size="icon" aria-label={t('moreActions')} className="sm:hidden">
      <EllipsisVertical aria-hidden className="size-4" />
    </Button>
  );
}

interface ActionProps {
  readonly title: string;
  readonly shortcut: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Action({ title, shortcut, onClick, children }: ActionProps) {
  return (
    <Tooltip text={`${title} (${shortcut})`}>
      <Button kind="quiet" size="icon" aria-label={title} onClick={onClick}>
        {children}
      </Button>
    </Tooltip>
  );
}
