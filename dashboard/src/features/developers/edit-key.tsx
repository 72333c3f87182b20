import { useState } from 'react';
import { explain } from '../../api/errors';
import type { ApiKey } from '../../api/session-paths';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input, TextArea } from '../../kit/field';
import { showToast } from '../../kit/toast';
import { GrantChoice } from './grant-choice';
import { addressesOf, grantProblem } from './key-form';
import { messages as t } from './messages';
import { useChangeKey } from './queries';

const FORM = 'edit-key';

interface EditKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** The property being changed, and the function that saves it. */
function useKeyChange({ apiKey, onClose }: EditKeyProps) {
  const [name, setName] = useState(apiKey.name);
  const [addresses, setAddresses] = useState(apiKey.ip_allowlist.join('\n'));
  const [grant, setGrant] = useState<string[] | null>(apiKey.conversation_ids ?? null);
  const change = useChangeKey(apiKey.id);
  const onSuccess = () => {
    showToast(t('saved'));
    onClose();
  };
  const save = () => {
    if (grantProblem(grant) !== undefined) return;
    const grants = apiKey.environment === 'live' ? { conversation_ids: grant } : {};
    change.mutate({ name: name.trim(), ip_allowlist: addressesOf(addresses), ...grants }, { onSuccess });
  };
  return { name, setName, addresses, setAddresses, grant, setGrant, change, save };
}

/** Name, addresses and grant can be changed. Scopes, limit and expiry are permanent. */
export function EditKey({ apiKey, onClose }: EditKeyProps) {
  const { name, setName, addresses, setAddresses, grant, setGrant, change, save } = useKeyChange({
    apiKey,
    onClose,
  });
  const actions = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form={FORM} disabled={change.isPending}>
        {t('save')}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('editKey')} description={t('editHelp')} actions={actions}>
      <form
        id={FORM}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label={t('name')} error={name.trim() === '' ? t('nameMissing') : undefined}>
          <Input value={name} maxLength={256} onChange={(event) => setName(event.currentTarget.value)} />
        </Field>
        <GrantChoice
          environment={apiKey.environment}
          grant={grant}
          onChange={setGrant}
          error={grantProblem(grant)}
        />
        <Field label={t('addresses')} help={t('addressesHelp')}>
          <TextArea
            rows={3}
            spellCheck={false}
            value={addresses}
            onChange={(event) => setAddresses(event.currentTarget.value)}
          />
        </Field>
        {change.isError && (
          <p role="alert" className="text-danger text-sm">
            {explain(change.error).advice}
          </p>
        )}
      </form>
    </Dialog>
  );
}
