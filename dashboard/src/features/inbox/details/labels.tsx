import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Badge } from '../../../kit/badge';
import { Button } from '../../../kit/button';
import { Input } from '../../../kit/field';
import { showToast } from '../../../kit/toast';
import { useChangeConversation } from '../conversation-actions';
import { LabelChoices } from '../label-choices';
import type { Conversation } from '../views';
import { messages as t } from './messages';
import { Section } from './section';

const MAX_LABELS = 50;
const MAX_LENGTH = 256;

interface LabelsProps {
  readonly conversation: Conversation;
  readonly canWrite: boolean;
}

export function Labels({ conversation, canWrite }: LabelsProps) {
  const { labels } = conversation;
  const change = useChangeConversation(conversation);
  const add = (label: string) => {
    if (labels.includes(label)) return;
    if (labels.length === MAX_LABELS) showToast(t('tooManyLabels', { count: MAX_LABELS }));
    else change({ labels: [...labels, label] }, t('didLabel'));
  };
  const remove = (label: string) =>
    change({ labels: labels.filter((each) => each !== label) }, t('didUnlabel'));
  return (
    <Section title={t('labels')}>
      {labels.length === 0 && !canWrite && <p className="text-muted text-sm">{t('noLabels')}</p>}
      <ul className="flex flex-wrap gap-1 empty:hidden">
        {labels.map((label) => (
          <li key={label} className="flex min-w-0 max-w-full items-center">
            <Badge>{label}</Badge>
            {canWrite && (
              <Button
                kind="quiet"
                size="icon"
                className="size-6"
                aria-label={t('removeLabel', { label })}
                onClick={() => remove(label)}
              >
                <X aria-hidden className="size-3.5" />
              </Button>
            )}
          </li>
        ))}
      </ul>
      {canWrite && <NewLabel onAdd={add} />}
    </Section>
  );
}

function NewLabel({ onAdd }: { readonly onAdd: (label: string) => void }) {
  const [text, setText] = useState('');
  const choices = useId();
  return (
    <form
      className="relative"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onAdd(text.trim());
        setText('');
      }}
    >
      <Plus
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-muted"
      />
      <Input
        aria-label={t('addLabel')}
        aria-keyshortcuts="L"
        placeholder={t('addLabel')}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="pl-8"
        list={choices}
      />
      <LabelChoices id={choices} />
    </form>
  );
}
