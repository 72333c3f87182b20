import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { usePermissions } from '../../api/session';
import { webhooksQuery } from '../../api/webhooks';
import { Badge } from '../../kit/badge';
import { CopyBox } from '../../kit/copy';
import { EmptyState, ErrorState, SkeletonList } from '../../kit/feedback';
import { Card } from '../../kit/page';
import { Tabs } from '../../kit/tabs';
import { Deliveries } from './deliveries';
import { DevelopersPage } from './developers-page';
import { VERIFICATION } from './verification';
import { WebhookActions } from './webhook-actions';
import { messages as t } from './webhook-messages';
import type { Webhook } from './webhook-queries';
import { timeText, WebhookState } from './webhooks-screen';

export function WebhookScreen() {
  const { id } = useParams({ from: '/shell/developers/webhooks/$id' });
  const { data, error, refetch } = useQuery(webhooksQuery);
  const webhook = data?.find((one) => one.id === id);
  return (
    <DevelopersPage
      title={webhook === undefined ? t('webhook') : new URL(webhook.url).host}
      description={webhook?.description ?? t('help')}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonList rows={4} />}
      {data !== undefined && webhook === undefined && (
        <EmptyState icon={Unplug} title={t('gone')}>
          {t('goneHelp')}
        </EmptyState>
      )}
      {webhook !== undefined && <Details webhook={webhook} />}
    </DevelopersPage>
  );
}

function Details({ webhook }: { readonly webhook: Webhook }) {
  const { canWrite } = usePermissions();
  return (
    <>
      <Card>
        <div className="flex flex-wrap items-center gap-2">
          <WebhookState webhook={webhook} />
          {webhook.events.map((event) => (
            <Badge key={event}>{event === '*' ? t('allEvents') : event}</Badge>
          ))}
        </div>
        <CopyBox label={t('address')} text={webhook.url} />
        <p className="text-muted text-sm">
          {t('facts', {
            hint: webhook.secret_hint,
            version: webhook.api_version,
            success: timeText(webhook.last_success_at),
            failure: timeText(webhook.last_failure_at),
          })}
        </p>
        {canWrite && <WebhookActions webhook={webhook} />}
      </Card>
      <section className="flex flex-col gap-3">
        <h2 className="font-semibold">{t('deliveries')}</h2>
        <Deliveries webhook={webhook} />
      </section>
      <Verification />
    </>
  );
}

type SampleLanguage = keyof typeof VERIFICATION;
const LANGUAGES = Object.keys(VERIFICATION) as SampleLanguage[];

function Verification() {
  const [language, setLanguage] = useState<SampleLanguage>('Node.js');
  return (
    <Card title={t('verification')} description={t('verificationHelp')}>
      <Tabs
        value={language}
        onChange={setLanguage}
        tabs={LANGUAGES.map((value) => ({ value, title: value }))}
      >
        <CopyBox label={language} text={VERIFICATION[language]} />
      </Tabs>
    </Card>
  );
}
