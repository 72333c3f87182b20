import { Field } from '../../kit/field';
import { Card } from '../../kit/page';
import { Select } from '../../kit/select';
import { showError } from '../../kit/toast';
import { messages as t } from './messages';
import { type Consent, type Contact, useChangeContact } from './queries';

const KINDS = ['marketing', 'notification', 'tracking'] as const;
const CHOICES: Readonly<Record<Consent['marketing'], string>> = {
  unknown: t('consent_unknown'),
  granted: t('consent_granted'),
  denied: t('consent_denied'),
};

interface ConsentCardProps {
  readonly contact: Contact;
  readonly canWrite: boolean;
}

/** The consents of the contact. Broadcasts and location tracking respect them. */
export function ConsentCard({ contact, canWrite }: ConsentCardProps) {
  const change = useChangeContact(contact.id);
  return (
    <Card title={t('consent')} description={t('consentHelp')}>
      {KINDS.map((kind) =>
        canWrite ? (
          <Field key={kind} label={t(`consentFor_${kind}`)}>
            <Select
              className="max-w-60"
              value={contact.consent[kind]}
              onChange={(choice) => change.mutate({ consent: { [kind]: choice } }, { onError: showError })}
              options={CHOICES}
            />
          </Field>
        ) : (
          <p key={kind} className="text-sm">
            {`${t(`consentFor_${kind}`)}: ${CHOICES[contact.consent[kind]]}`}
          </p>
        ),
      )}
    </Card>
  );
}
