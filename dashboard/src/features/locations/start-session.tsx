import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { explain } from '../../api/errors';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { PersonChoice } from '../../kit/person-choice';
import { Select } from '../../kit/select';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { foundContactsQuery, useStartSession } from './queries';

interface Chosen {
  readonly id: string;
  readonly display_name: string;
}

const LENGTHS = { 900: t('minutes15'), 3600: t('hour1'), 28800: t('hours8'), 86400: t('hours24') };

export function StartSession({ onClose }: { readonly onClose: () => void }) {
  const start = useStartSession();
  const [contact, setContact] = useState<Chosen>();
  const [purpose, setPurpose] = useState('');
  const [length, setLength] = useState('3600');
  const confirm = (userId: string) =>
    start.mutate(
      { user_id: userId, purpose: purpose.trim() || null, duration_seconds: Number(length) },
      {
        onSuccess: () => {
          showToast(t('wasStarted'));
          onClose();
        },
      },
    );
  const isReady = contact !== undefined && !start.isPending;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('startTitle')}
      description={t('startHelp')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" disabled={!isReady} onClick={() => contact && confirm(contact.id)}>
            {t('start')}
          </Button>
        </>
      }
    >
      <ChooseContact chosen={contact} onChoose={setContact} />
      <Field label={t('purpose')} help={t('purposeHelp')}>
        <Input maxLength={256} value={purpose} onChange={(event) => setPurpose(event.target.value)} />
      </Field>
      <Field label={t('length')}>
        <Select value={length} onChange={setLength} options={LENGTHS as Record<string, string>} />
      </Field>
      {start.isError && (
        <p role="alert" className="text-danger text-sm">
          {explain(start.error).advice}
        </p>
      )}
    </Dialog>
  );
}

interface ChooseContactProps {
  readonly chosen: Chosen | undefined;
  readonly onChoose: (contact: Chosen | undefined) => void;
}

function ChooseContact({ chosen, onChoose }: ChooseContactProps) {
  const [text, setText] = useState('');
  const { data = [] } = useQuery(foundContactsQuery(useDeferredValue(text).trim()));
  const change = (next: string) => {
    setText(next);
    onChoose(undefined);
  };
  return (
    <div className="flex flex-col gap-1">
      <Field label={t('contact')} help={t('contactHelp')}>
        <Input
          autoComplete="off"
          value={chosen?.display_name ?? text}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
      {chosen === undefined && (
        <PersonChoice people={data} detail={({ email, phone }) => email || phone} onChoose={onChoose} />
      )}
    </div>
  );
}
