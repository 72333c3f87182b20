import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { explain } from '../../api/errors';
import { personClauses } from '../../api/person-search';
import { Badge } from '../../kit/badge';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { PersonChoice } from '../../kit/person-choice';
import { platformName } from '../../kit/platform';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { type Contact, contactsQuery, useMergeContact } from './queries';

interface MergeContactProps {
  readonly contact: Contact;
  readonly onClose: () => void;
}

/** Merges two contacts of the same person: select the other contact, review the result, confirm. */
export function MergeContact({ contact, onClose }: MergeContactProps) {
  const merge = useMergeContact(contact.id);
  const [source, setSource] = useState<Contact>();
  const confirm = (other: Contact) =>
    merge.mutate(other.id, {
      onSuccess: () => {
        showToast(t('wasMerged', { name: other.display_name }));
        onClose();
      },
    });
  const actions = (
    <>
      <Button onClick={source === undefined ? onClose : () => setSource(undefined)}>
        {t(source === undefined ? 'cancel' : 'back')}
      </Button>
      {source !== undefined && (
        <Button kind="destructive" onClick={() => confirm(source)} disabled={merge.isPending}>
          {t('merge')}
        </Button>
      )}
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('mergeTitle', { name: contact.display_name })}
      description={t('mergeHelp')}
      actions={actions}
    >
      {source === undefined ? (
        <Choose without={contact.id} onChoose={setSource} />
      ) : (
        <Preview target={contact} source={source} />
      )}
      {merge.isError && (
        <p role="alert" className="text-danger text-sm">
          {explain(merge.error).advice}
        </p>
      )}
    </Dialog>
  );
}

interface ChooseProps {
  readonly without: string;
  readonly onChoose: (contact: Contact) => void;
}

function Choose({ without, onChoose }: ChooseProps) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text).trim();
  // Without a filter for the text, the answer would have all contacts.
  const isLongEnough = personClauses(wanted).length > 0;
  const { data } = useInfiniteQuery({
    ...contactsQuery({ text: wanted, platform: '', status: 'all' }),
    enabled: isLongEnough,
  });
  const found = isLongEnough ? (data?.pages[0]?.data.filter(({ id }) => id !== without) ?? []) : [];
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('otherContact')} help={t('search')}>
        <Input autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <PersonChoice people={found} detail={({ email, phone }) => email || phone} onChoose={onChoose} />
    </div>
  );
}

/** Values of the opened contact are kept. The other contact fills its empty fields. */
function Preview({ target, source }: { readonly target: Contact; readonly source: Contact }) {
  const identities = [...target.identities, ...source.identities];
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="untrusted flex flex-wrap items-center gap-2 font-medium">
        {source.display_name}
        <ArrowRight aria-label={t('becomes')} className="size-4 text-muted" />
        {target.display_name}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">{t('email')}</dt>
        <dd className="untrusted truncate">{target.email || source.email || '–'}</dd>
        <dt className="text-muted">{t('phone')}</dt>
        <dd className="untrusted truncate">{target.phone ?? source.phone ?? '–'}</dd>
        <dt className="text-muted">{t('identities')}</dt>
        <dd className="flex flex-wrap gap-1">
          {identities.map(({ platform, external_id, handle }) => (
            <Badge
              key={`${platform} ${external_id}`}
            >{`${platformName(platform)}: ${handle ?? external_id}`}</Badge>
          ))}
        </dd>
      </dl>
      <ul className="list-disc pl-5 text-muted">
        <li>{t('mergeMoves')}</li>
        <li>{t('mergeGone', { name: source.display_name })}</li>
        <li>{t('mergeUndo')}</li>
      </ul>
    </div>
  );
}
