import { useNavigate } from '@tanstack/react-router';
import { NewSecret } from './new-secret';
import { WebhookForm } from './webhook-form';
import { messages as t } from './webhook-messages';
import { useCreateWebhook } from './webhook-queries';

const EMPTY = { url: '', events: ['*'], description: null };

/** Creates a webhook, shows its secret once, and opens its page. */
export function CreateWebhook({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateWebhook();
  const navigate = useNavigate();
  const made = create.data;
  if (made !== undefined)
    return (
      <NewSecret
        secret={made.secret ?? ''}
        onClose={() => void navigate({ to: '/developers/webhooks/$id', params: { id: made.id } })}
      />
    );
  return (
    <WebhookForm
      title={t('create')}
      action={t('create')}
      initial={EMPTY}
      isPending={create.isPending}
      error={create.error}
      onSubmit={(body) => create.mutate(body)}
      onClose={onClose}
    />
  );
}
