import { useQuery } from '@tanstack/react-query';
import { Link2, Unlink } from 'lucide-react';
import type { ChatIdentity } from '../../api/chat-paths';
import { shortTime } from '../../i18n/time';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { showError, showToast } from '../../kit/toast';
import { messages as t } from './chat-identities-messages';
import { chatIdentitiesQuery, useMakeChatCode, useUnlinkChat } from './queries';

/** The platform accounts with which the user approves or rejects drafts in the staff chat. */
export function ChatIdentitiesCard() {
  const identities = useQuery(chatIdentitiesQuery);
  const code = useMakeChatCode();
  return (
    <Card title={t('title')} description={t('help')}>
      {identities.isPending && <SkeletonList rows={1} />}
      {identities.isError && (
        <ErrorState error={identities.error} onRetry={() => void identities.refetch()} />
      )}
      {identities.data?.length === 0 && <p className="text-muted text-sm">{t('none')}</p>}
      {identities.data !== undefined && identities.data.length > 0 && (
        <ul aria-label={t('title')} className="flex flex-col divide-y divide-line">
          {identities.data.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} />
          ))}
        </ul>
      )}
      {code.data && (
        <>
          <CopyBox label={t('code')} text={code.data.text} />
          <p className="text-muted text-sm">{t('codeHelp', { time: shortTime(code.data.expires_at) })}</p>
        </>
      )}
      <Button
        className="self-start"
        disabled={code.isPending}
        onClick={() => code.mutate(undefined, { onError: showError })}
      >
        <Link2 aria-hidden className="size-4" />
        {t('getCode')}
      </Button>
    </Card>
  );
}

function IdentityRow({ identity }: { readonly identity: ChatIdentity }) {
  const unlink = useUnlinkChat();
  const { name, connection, created_at } = identity;
  const end = () =>
    unlink.mutate(identity.id, {
      onError: showError,
      onSuccess: () => showToast(t('wasUnlinked', { name })),
    });
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1 text-sm">
        <p className="untrusted break-words font-medium">{name}</p>
        <p className="break-words text-muted">
          {connection} · {t('linked', { time: shortTime(created_at) })}
        </p>
      </div>
      <Button size="sm" aria-label={t('unlinkOf', { name })} disabled={unlink.isPending} onClick={end}>
        <Unlink aria-hidden className="size-4" />
        {t('unlink')}
      </Button>
    </li>
  );
}
