import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../kit/button';
import { CopyBox } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { QrCode } from './qr-code';
import { RecoveryCodes } from './recovery-codes';
import { messages as t } from './second-step-messages';
import { problemOf, useShownProblem } from './second-step-problems';
import { useBeginSecondStep, useConfirmSecondStep } from './second-step-queries';

interface Secret {
  readonly secret: string;
  readonly uri: string;
}

interface StepProps {
  readonly onClose: () => void;
}

/** Asks for the password, then shows the QR code, then the recovery codes. */
export function EnableSecondStep({ onClose }: StepProps) {
  const [secret, setSecret] = useState<Secret>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (secret !== undefined) return <Confirm secret={secret} onCodes={setCodes} onClose={onClose} />;
  return <AskPassword onSecret={setSecret} onClose={onClose} />;
}

function AskPassword({ onSecret, onClose }: StepProps & { readonly onSecret: (secret: Secret) => void }) {
  const begin = useBeginSecondStep();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useShownProblem(begin.error, 'password');
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === '') return setProblem(t('passwordMissing'));
    begin.mutate({ password }, { onSuccess: onSecret });
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={form} disabled={begin.isPending}>
        {t('next')}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('passwordTitle')}
      description={t('passwordHelp')}
      actions={actions}
    >
      <form id={form} noValidate onSubmit={submit}>
        <Field label={t('password')} error={problem}>
          <Input
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}

interface ConfirmProps extends StepProps {
  readonly secret: Secret;
  readonly onCodes: (codes: readonly string[]) => void;
}

function Confirm({ secret: { secret, uri }, onCodes, onClose }: ConfirmProps) {
  const confirm = useConfirmSecondStep();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim().length < 6) return setProblem(t('codeMissing'));
    confirm.mutate(
      { code },
      {
        onSuccess: ({ recovery_codes: codes }) => onCodes(codes),
        onError: (error) => setProblem(problemOf(error, 'code')),
      },
    );
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={form} disabled={confirm.isPending}>
        {t('turnOn')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('scanTitle')} description={t('scanHelp')} actions={actions}>
      <QrCode text={uri} label={t('qr')} />
      <CopyBox text={secret} label={t('secret')} />
      <form id={form} noValidate onSubmit={submit}>
        <Field label={t('code')} help={t('codeHelp')} error={problem}>
          <Input
            autoComplete="one-time-code"
            inputMode="numeric"
            className="max-w-40"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
