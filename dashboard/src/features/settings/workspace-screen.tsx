import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/errors';
import { usePermissions, useSession } from '../../api/session';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { Field, Input, TextArea } from '../../kit/field';
import { Card } from '../../kit/page';
import { showError, showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { useChangeWorkspace } from './queries';
import { RetentionCard } from './retention-card';
import { SettingsPage } from './settings-page';
import { StaffChatCard } from './staff-chat-card';

export function WorkspaceScreen() {
  const { workspace } = useSession();
  const { canManage } = usePermissions();
  return (
    <SettingsPage title={t('workspace')} description={t('workspaceHelp')}>
      <Card>{canManage ? <WorkspaceForm /> : <p>{t('managersOnly')}</p>}</Card>
      {canManage && <RetentionCard />}
      {canManage && <StaffChatCard />}
      <Card title={t('identifiers')} description={t('identifiersHelp')}>
        <CopyBox label={t('workspaceId')} text={workspace.id} />
        {workspace.test_workspace_id !== null && (
          <>
            <p className="text-muted text-sm">{t('testWorkspace')}</p>
            <CopyBox label={t('testWorkspace')} text={workspace.test_workspace_id} />
          </>
        )}
      </Card>
    </SettingsPage>
  );
}

/** One word or phrase per line. */
const wordsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function WorkspaceForm() {
  const { workspace } = useSession();
  const change = useChangeWorkspace();
  const [name, setName] = useState(workspace.name);
  const [words, setWords] = useState(workspace.opt_out_keywords.join('\n'));
  const problems = change.error instanceof ApiError ? Object.entries(change.error.fields) : [];
  const problemOf = (field: string) => problems.find(([path]) => path.split('.')[0] === field)?.[1];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { name: name.trim(), opt_out_keywords: wordsOf(words) },
      {
        onSuccess: () => showToast(t('saved')),
        onError: (error) => {
          if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) showError(error);
        },
      },
    );
  };
  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={submit}>
      <Field label={t('name')} error={problemOf('name')}>
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="organization" />
      </Field>
      <Field label={t('optOut')} help={t('optOutHelp')} error={problemOf('opt_out_keywords')}>
        <TextArea rows={4} value={words} onChange={(event) => setWords(event.target.value)} />
      </Field>
      <Button kind="primary" type="submit" className="self-start" disabled={change.isPending}>
        {t('save')}
      </Button>
    </form>
  );
}
