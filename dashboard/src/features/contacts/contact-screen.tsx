import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { usePermissions } from '../../api/session';
import { momentTime, shortTime } from '../../i18n/time';
import { BackLink } from '../../kit/back-link';
import { Status } from '../../kit/badge';
import { ErrorState, SkeletonList } from '../../kit/feedback';
import { usePlainText } from '../../kit/markdown/plain-text';
import { MetadataList } from '../../kit/metadata-list';
import { Card, Page } from '../../kit/page';
import { PlatformBadge } from '../../kit/platform';
import { ConsentCard } from './consent-card';
import { ConsentHistory } from './consent-history';
import { ContactActions } from './contact-actions';
import { ContactState } from './contacts-screen';
import { EditContact } from './edit-contact';
import { messages as t } from './messages';
import { type Contact, contactQuery, conversationsQuery } from './queries';

type LastMessage = NonNullable<Schemas['Conversation']['last_message']>;
const EXCERPT = 200;

export function ContactScreen() {
  const { id } = useParams({ from: '/shell/contacts/$id' });
  const { data: contact, error, refetch } = useQuery(contactQuery(id));
  return (
    <Page
      title={contact?.display_name ?? t('contact')}
      back={<BackLink to="/contacts">{t('title')}</BackLink>}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {contact === undefined && error === null && <SkeletonList rows={5} />}
      {contact !== undefined && <Profile contact={contact} />}
    </Page>
  );
}

function Profile({ contact }: { readonly contact: Contact }) {
  const { canWrite } = usePermissions();
  return (
    <>
      <Card>
        <div className="flex flex-wrap items-center gap-2">
          <ContactState status={contact.status} />
          <span className="text-muted text-sm">{t('since', { at: momentTime(contact.created_at) })}</span>
        </div>
        {contact.status === 'blocked' && <p className="text-muted text-sm">{t('blockedHelp')}</p>}
        {canWrite && <ContactActions contact={contact} />}
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title={t('details')}>
          <EditContact key={contact.updated_at} contact={contact} canWrite={canWrite} />
        </Card>
        <div className="flex flex-col gap-4">
          <Identities contact={contact} />
          <ConsentCard contact={contact} canWrite={canWrite} />
          {Object.keys(contact.metadata).length > 0 && (
            <Card title={t('metadata')} description={t('metadataHelp')}>
              <MetadataList metadata={contact.metadata} />
            </Card>
          )}
        </div>
      </div>
      <Conversations contactId={contact.id} />
      <ConsentHistory contactId={contact.id} />
    </>
  );
}

function Identities({ contact: { identities } }: { readonly contact: Contact }) {
  return (
    <Card title={t('identities')} description={t('identitiesHelp')}>
      {identities.length === 0 && <p className="text-muted text-sm">{t('noIdentities')}</p>}
      <ul className="flex flex-col gap-2">
        {identities.map(({ platform, external_id, handle, reachable, opt_out }) => (
          <li key={`${platform} ${external_id}`} className="flex flex-wrap items-center gap-2 text-sm">
            <PlatformBadge platform={platform} />
            <span className="untrusted min-w-0 truncate">{handle ?? external_id}</span>
            {handle !== null && <span className="untrusted truncate text-muted">{external_id}</span>}
            {!reachable && <Status tone="warning">{t('unreachable')}</Status>}
            {opt_out.length > 0 && (
              <Status tone="warning">{t('optedOut', { of: opt_out.join(', ') })}</Status>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Conversations({ contactId }: { readonly contactId: string }) {
  const { data } = useQuery(conversationsQuery(contactId));
  return (
    <Card title={t('conversations')}>
      {data === undefined && <SkeletonList rows={2} />}
      {data?.length === 0 && <p className="text-muted text-sm">{t('noConversations')}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {data?.map(({ id, number, title, last_message, last_message_at }) => (
          <li key={id}>
            <Link
              to="/inbox/$number"
              params={{ number: String(number) }}
              className="untrusted flex items-center gap-3 py-2 text-sm hover:underline"
            >
              <span className="shrink-0 font-medium">{title ?? t('number', { number })}</span>
              <LastText message={last_message} />
              {last_message_at !== null && (
                <time className="shrink-0 text-muted">{shortTime(last_message_at)}</time>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LastText({ message }: { readonly message: LastMessage | null }) {
  return (
    <span className="min-w-0 grow truncate text-muted">
      {usePlainText(message ?? { text: '' }).slice(0, EXCERPT)}
    </span>
  );
}
