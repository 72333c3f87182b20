import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { api, must, type Schemas } from '../../../api/client';
import { Status } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { ConfirmDialog } from '../../../kit/confirm-dialog';
import { PlatformBadge, platformName } from '../../../kit/platform';
import { showToast } from '../../../kit/toast';
import type { Conversation } from '../views';
import { LinkChat } from './link-chat';
import { messages as t } from './messages';
import { Section } from './section';

type Chat = Schemas['Link'];

interface LinkedChatsProps {
  readonly conversation: Conversation;
  readonly canWrite: boolean;
}

export function LinkedChats({ conversation, canWrite }: LinkedChatsProps) {
  const [isLinking, setLinking] = useState(false);
  const [leaving, setLeaving] = useState<Chat>();
  const { links } = conversation;
  const add = (
    <Button
      kind="quiet"
      size="icon"
      className="size-7"
      aria-label={t('linkChat')}
      onClick={() => setLinking(true)}
    >
      <Link2 aria-hidden className="size-4" />
    </Button>
  );
  return (
    <Section title={t('links')} action={canWrite && add}>
      {links.length === 0 && <p className="text-muted text-sm">{t('noLinks')}</p>}
      {links.map((link) => (
        <LinkedChat key={link.id} link={link} {...(canWrite && { onUnlink: () => setLeaving(link) })} />
      ))}
      {isLinking && <LinkChat conversation={conversation} onClose={() => setLinking(false)} />}
      {leaving !== undefined && (
        <UnlinkChat conversation={conversation} link={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </Section>
  );
}

const titleOf = ({ title, external_id }: Chat): string => title ?? external_id;

function LinkedChat({ link, onUnlink }: { readonly link: Chat; readonly onUnlink?: () => void }) {
  return (
    <div className="flex items-center gap-2 text-sm">
      <span className="untrusted min-w-0 grow truncate">{titleOf(link)}</span>
      {link.status === 'active' ? (
        <PlatformBadge platform={link.platform} />
      ) : (
        <Status tone="danger">{`${platformName(link.platform)} · ${t('broken')}`}</Status>
      )}
      {onUnlink !== undefined && (
        <Button
          kind="quiet"
          size="icon"
          className="size-7"
          aria-label={t('unlinkChat', { chat: titleOf(link) })}
          onClick={onUnlink}
        >
          <Unlink aria-hidden className="size-4" />
        </Button>
      )}
    </div>
  );
}

interface UnlinkChatProps {
  readonly conversation: Conversation;
  readonly link: Chat;
  readonly onClose: () => void;
}

function UnlinkChat({ conversation, link, onClose }: UnlinkChatProps) {
  const queries = useQueryClient();
  const path = { id: conversation.id, link_id: link.id };
  const unlink = useMutation({
    mutationFn: () => must(api.DELETE('/openapi/conversations/{id}/links/{link_id}', { params: { path } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['conversation', conversation.number] });
      showToast(t('unlinked'));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('unlinkTitle')}
      description={t('unlinkHelp', { chat: titleOf(link) })}
      action={t('unlink')}
      isDanger
      isPending={unlink.isPending}
      error={unlink.error}
      onConfirm={() => unlink.mutate()}
      onClose={onClose}
    />
  );
}
