import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api, must, type Schemas } from '../../../api/client';
import { ApiError, explain } from '../../../api/errors';
import { Button } from '../../../kit/button';
import { Dialog } from '../../../kit/dialog';
import { Field, Input } from '../../../kit/field';
import { platformName } from '../../../kit/platform';
import { Select } from '../../../kit/select';
import { showToast } from '../../../kit/toast';
import { connectionsQuery } from '../queries';
import type { Conversation } from '../views';
import { messages as t } from './messages';

type Direction = Schemas['Link']['direction'];

interface NewLink {
  readonly connection_id: string;
  readonly external_id: string;
  readonly direction: Direction;
}

const DIRECTIONS = ['two_way', 'inbound', 'outbound'] as const;
const MAX_ID = 256;
const FORM = 'link-chat';

interface LinkChatProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** Links another chat of a platform by its id. */
export function LinkChat({ conversation, onClose }: LinkChatProps) {
  const link = useLink(conversation, onClose);
  const [isComplete, setComplete] = useState(false);
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button type="submit" form={FORM} kind="primary" disabled={link.isPending || !isComplete}>
        {t('linkChat')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('linkChat')} description={t('linkHelp')} actions={actions}>
      <LinkForm error={link.error} onSubmit={link.mutate} onComplete={setComplete} />
    </Dialog>
  );
}

interface LinkFormProps {
  readonly error: unknown;
  readonly onSubmit: (link: NewLink) => void;
  /** Called when the form becomes complete or incomplete. */
  readonly onComplete: (isComplete: boolean) => void;
}

function LinkForm({ error, onSubmit, onComplete }: LinkFormProps) {
  const connections = useQuery(connectionsQuery).data ?? [];
  const [connectionId, setConnection] = useState(connections[0]?.id ?? '');
  const [chatId, setChatId] = useState('');
  const [direction, setDirection] = useState<Direction>('two_way');
  const chosen = connectionId === '' ? connections[0]?.id : connectionId;
  const isComplete = chosen !== undefined && chatId.trim() !== '';
  useEffect(() => onComplete(isComplete), [isComplete, onComplete]);
  const problem = error instanceof ApiError ? error.fields.external_id : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) onSubmit({ connection_id: chosen, external_id: chatId.trim(), direction });
  };
  if (chosen === undefined) return <p className="text-muted text-sm">{t('noConnections')}</p>;
  return (
    <form id={FORM} className="flex flex-col gap-3" onSubmit={submit}>
      <Field label={t('connection')}>
        <Select value={chosen} onChange={setConnection} options={namesOf(connections)} />
      </Field>
      <Field label={t('chatId')} help={t('chatIdHelp')} error={problem}>
        <Input value={chatId} maxLength={MAX_ID} onChange={(event) => setChatId(event.target.value)} />
      </Field>
      <Field label={t('direction')}>
        <Select value={direction} onChange={setDirection} options={directions()} />
      </Field>
      {error !== null && problem === undefined && (
        <p role="alert" className="text-danger text-sm">
          {explain(error).advice}
        </p>
      )}
    </form>
  );
}

const namesOf = (connections: readonly Schemas['Connection'][]): Record<string, string> =>
  Object.fromEntries(
    connections.map(({ id, name, platform }) => [id, `${name} · ${platformName(platform)}`]),
  );

const directions = () =>
  Object.fromEntries(DIRECTIONS.map((each) => [each, t(each)])) as Record<Direction, string>;

function useLink({ id, number }: Conversation, onLinked: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewLink) =>
      must(api.POST('/openapi/conversations/{id}/links', { params: { path: { id } }, body })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['conversation', number] });
      showToast(t('linked'));
      onLinked();
    },
  });
}
