import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { StaffChat } from '../../api/chat-paths';
import { Button } from '../../kit/button';
import { Checkbox } from '../../kit/checkbox';
import { Field, Input } from '../../kit/field';
import { Card } from '../../kit/page';
import { showError, showToast } from '../../kit/toast';
import { staffChatQuery, useSetStaffChat } from './queries';
import { messages as t } from './staff-chat-messages';

/** The number of a conversation, alone or at the end of its URL. */
const NUMBER = /(?:^|\/inbox\/)(\d{1,15})(?:$|[?#])/;

export function StaffChatCard() {
  const { data } = useQuery(staffChatQuery);
  return (
    <Card title={t('title')} description={t('help')}>
      {data && <StaffChatForm key={`${data.conversation_number} ${data.approvals}`} chat={data} />}
    </Card>
  );
}

function StaffChatForm({ chat }: { readonly chat: StaffChat }) {
  const set = useSetStaffChat();
  const [text, setText] = useState(chat.conversation_number?.toString() ?? '');
  const [approvals, setApprovals] = useState(chat.approvals);
  const [isInvalid, setInvalid] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = NUMBER.exec(text.trim())?.[1];
    const isWrong = found === undefined && text.trim() !== '';
    const number = found === undefined ? null : Number(found);
    setInvalid(isWrong);
    if (isWrong) return;
    const body = { conversation_number: number, approvals };
    set.mutate(body, { onSuccess: () => showToast(t('saved')), onError: showError });
  };
  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={submit}>
      <p className="break-words">
        {chat.conversation_number === null ? t('none') : t('chosen', { title: chat.title ?? t('untitled') })}
      </p>
      <Field label={t('field')} help={t('fieldHelp')} error={isInvalid ? t('invalid') : undefined}>
        <Input value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Checkbox isChecked={approvals} onChange={setApprovals}>
        {t('approvals')}
      </Checkbox>
      <Button type="submit" className="self-start" disabled={set.isPending}>
        {t('save')}
      </Button>
    </form>
  );
}
