import { type FormEvent, useId, useState } from 'react';
import type { BothSteps } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { showToast } from '../../kit/toast';
import { RecoveryCodes } from './recovery-codes';
import { messages as t } from './second-step-messages';
import { problemOf } from './second-step-problems';
import { useDisableSecondStep, useRenewCodes } from './second-step-queries';

interface DoneProps {
  readonly onClose: () => void;
}

export function DisableSecondStep({ onClose }: DoneProps) {
  const disable = useDisableSecondStep();
  const submit = (proof: BothSteps) =>
    disable.mutate(proof, {
      onSuccess: () => {
        showToast(t('wasTurnedOff'));
        onClose();
      },
    });
  return (
    <ProveBothSteps
      title={t('offTitle')}
      description={t('offHelp')}
      action={t('turnOff')}
      isDanger
      isPending={disable.isPending}
      error={disable.error}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

export function RenewCodes({ onClose }: DoneProps) {
  const renew = useRenewCodes();
  if (renew.isSuccess) return <RecoveryCodes codes={renew.data.recovery_codes} onClose={onClose} />;
  return (
    <ProveBothSteps
      title={t('renewTitle')}
      description={t('renewHelp')}
      action={t('renew')}
      isPending={renew.isPending}
      error={renew.error}
      onSubmit={(proof) => renew.mutate(proof)}
      onClose={onClose}
    />
  );
}

interface ProveProps extends DoneProps {
  readonly title: string;
  readonly description: string;
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: (proof: BothSteps) => void;
}

/** Asks for the password and a code. */
function ProveBothSteps(props: ProveProps) {
  const { title, description, action, isDanger = false, isPending, error, onSubmit, onClose } = props;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const form = useId();
  const isComplete = password !== '' && code.trim().length >= 6;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) onSubmit({ password, code });
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button
        kind={isDanger ? 'danger' : 'primary'}
        type="submit"
        form={form}
        disabled={isPending || !isComplete}
      >
        {action}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description} actions={actions}>
      <form id={form} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Field label={t('password')} error={problemOf(error, 'password')}>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <Field label={t('codeOrRecovery')} help={t('codeOrRecoveryHelp')} error={codeProblemOf(error)}>
          <Input
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}

/** An error without a field is shown only at the password. */
function codeProblemOf(error: unknown): string | undefined {
  const problem = problemOf(error, 'code');
  return problem === problemOf(error, 'password') ? undefined : problem;
}
