import { useMutation, useQuery } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { usePermissions } from '../../api/session';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { showError } from '../../kit/toast';
import { messages as t } from './messages';
import { newestConversationQuery } from './queries';

const SCOPES = ['messages:read', 'messages:write', 'conversations:read'];

export function SendCard() {
  const { canManage } = usePermissions();
  const create = useMutation({
    mutationFn: () => must(api.POST('/keys', { body: { name: t('keyName'), scopes: SCOPES } })),
    onError: showError,
  });
  return (
    <Card title={t('sendTitle')} description={t('sendText')}>
      {!canManage && <p>{t('notManager')}</p>}
      {canManage && create.data === undefined && (
        <Button className="self-start" disabled={create.isPending} onClick={() => create.mutate()}>
          {t('createKey')}
        </Button>
      )}
      {create.data !== undefined && <Created apiKey={create.data.key ?? ''} />}
    </Card>
  );
}

function Created({ apiKey }: { readonly apiKey: string }) {
  const newest = useQuery(newestConversationQuery).data;
  if (newest === undefined) return <SkeletonList rows={2} />;
  const body = JSON.stringify({ conversation_id: newest ?? 1, text: t('hello') });
  const command = `curl ${location.origin}/v1/openapi/messages \\
  -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' \\
  -d '${body}'`;
  return (
    <div className="flex flex-col gap-3">
      <p>{t('once')}</p>
      <CopyBox label={t('key')} text={apiKey} />
      {newest === null && <p className="text-muted text-sm">{t('noConversation')}</p>}
      <CopyBox label={t('command')} text={command} />
    </div>
  );
}
