import { Link } from '@tanstack/react-router';
import {
  AlarmClock,
  ArrowLeft,
  Check,
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
import { Badge } from '../../kit/badge';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Menu, MenuItem } from '../../kit/menu';
import { showError } from '../../kit/toast';
import { Tooltip } from '../../kit/tooltip';
import { messages as calls } from './call-messages';
import { focusComposer } from './composer/focus';
import { useConversationActions } from './conversation-actions';
import { useConversationName } from './conversation-name';
import { ConversationDetails } from './details/conversation-details';
import { messages as details } from './details/messages';
import { messages as t } from './messages';
import { ShortcutHelp } from './shortcut-help';
import { useShortcuts } from './shortcuts';
import { Viewers } from './viewers';
import { type Conversation, withoutMessage } from './views';

export function ConversationHeader({ conversation }: { readonly conversation: Conversation }) {
  const name = useConversationName(conversation);
  const { canWrite } = usePermissions();
  return (
    <header className="flex items-center gap-2 border-line border-b px-4 py-2">
      <Link to="/inbox" search={withoutMessage} aria-label={t('back')} className="md:hidden">
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
      <div className="flex min-w-0 grow items-center gap-2">
        <h2 className="untrusted truncate font-semibold">{name}</h2>
        <Badge>{t(conversation.status)}</Badge>
      </div>
      <Viewers conversationId={conversation.id} />
      <DetailsButton conversation={conversation} />
      {canWrite && <CallButton conversationId={conversation.id} />}
      {canWrite && <Actions conversation={conversation} />}
    </header>
  );
}

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
  const call = (type: 'voice' | 'video') =>
    void joinCall(async () => (await startCall(conversationId, type)).id).catch(showError);
  return (
    <Menu
      trigger={
        <Button kind="quiet" size="icon" aria-label={calls('call')} aria-keyshortcuts="P">
          <Phone aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuItem icon={<Phone aria-hidden />} onSelect={() => call('voice')}>
        {calls('voiceCall')}
      </MenuItem>
      <MenuItem icon={<Video aria-hidden />} onSelect={() => call('video')}>
        {calls('videoCall')}
      </MenuItem>
    </Menu>
  );
}

function Actions({ conversation }: { readonly conversation: Conversation }) {
  const { isMine, isOpen, resolve, assign, snooze } = useConversationActions(conversation);
  useShortcuts({ e: resolve, a: assign, z: snooze, r: focusComposer });
  return (
    <>
      <Action title={isMine ? t('unassign') : t('assign')} shortcut="A" onClick={assign}>
        {isMine ? <UserCheck aria-hidden className="size-4" /> : <UserPlus aria-hidden className="size-4" />}
      </Action>
      {isOpen && (
        <Action title={t('snooze')} shortcut="Z" onClick={snooze}>
          <AlarmClock aria-hidden className="size-4" />
        </Action>
      )}
      <Button onClick={resolve}>
        {isOpen ? <Check aria-hidden className="size-4" /> : <RotateCcw aria-hidden className="size-4" />}
        <span className="max-sm:sr-only">{isOpen ? t('resolve') : t('reopen')}</span>
      </Button>
      <ShortcutHelp />
    </>
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
