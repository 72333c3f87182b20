import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { z } from 'zod/mini';
import { api, must } from '../../api/client';
import { sessionQuery, usePermissions, useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { Field, Input } from '../../kit/field';
import { Card, Page } from '../../kit/page';
import { showError, showToast } from '../../kit/toast';
import { ConnectCard } from './connect-card';
import { messages as t } from './messages';
import { SendCard } from './send-card';

export function FirstRunScreen() {
  const { canManage } = usePermissions();
  return (
    <Page title={t('title')} description={t('description')}>
      {canManage && <NameCard />}
      <ConnectCard />
      <SendCard />
    </Page>
  );
}

const nameForm = z.object({
  name: z.string().check(z.trim(), z.minLength(1, t('nameMissing')), z.maxLength(256)),
});

function NameCard() {
  const { workspace } = useSession();
  const queries = useQueryClient();
  const form = useForm({ resolver: zodResolver(nameForm), defaultValues: { name: workspace.name } });
  const save = useMutation({
    mutationFn: (body: z.infer<typeof nameForm>) => must(api.PATCH('/workspace', { body })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      showToast(t('saved'));
    },
    onError: showError,
  });
  return (
    <Card title={t('nameTitle')}>
      <form
        className="flex max-w-md flex-col items-start gap-3"
        onSubmit={form.handleSubmit((values) => save.mutate(values))}
      >
        <div className="w-full">
          <Field label={t('name')} help={t('nameHelp')} error={form.formState.errors.name?.message}>
            <Input {...form.register('name')} />
          </Field>
        </div>
        <Button type="submit" disabled={save.isPending}>
          {t('save')}
        </Button>
      </form>
    </Card>
  );
}
