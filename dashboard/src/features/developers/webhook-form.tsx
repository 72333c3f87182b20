import { type FormEvent, useState } from 'react';
import { ApiError, explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { EventPicker } from './event-picker';
import { messages as t } from './webhook-messages';
import type { WebhookBody } from './webhook-queries';

const FORM = 'webhook';

interface WebhookFormProps {
  readonly title: string;
  readonly action: string;
  readonly initial: WebhookBody;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: (body: WebhookBody) => void;
  readonly onClose: () => void;
}

/** The URL of the webhook, and its events. */
export function WebhookForm(props: WebhookFormProps) {
  const { title, action, isPending, onClose } = props;
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={isPending}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} actions={actions}>
      <Fields {...props} />
    </Dialog>
  );
}

function Fields({ initial, error, onSubmit }: WebhookFormProps) {
  const [url, setUrl] = useState(initial.url);
  const [events, setEvents] = useState(initial.events);
  const [description, setDescription] = useState(initial.description ?? '');
  const [isTried, setTried] = useState(false);
  const problems = error instanceof ApiError ? error.fields : {};
  const eventsProblem = Object.entries(problems).find(([field]) => field.startsWith('events'))?.[1];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (events.length === 0) return;
    onSubmit({ url: url.trim(), events, description: description.trim() || null });
  };
  return (
    <form id={FORM} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field label={t('address')} help={t('addressHelp')} error={problems.url}>
        <Input
          type="url"
          autoComplete="off"
          placeholder="https://shop.example/hooks/trunkline"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <EventPicker
        events={events}
        onChange={setEvents}
        error={isTried && events.length === 0 ? t('eventsMissing') : eventsProblem}
      />
      <Field label={t('note')} error={problems.description}>
        <Input
          autoComplete="off"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      {error !== null && Object.keys(problems).length === 0 && (
        <p role="alert" className="text-danger text-sm">
          {explain(error).advice}
        </p>
      )}
    </form>
  );
}
