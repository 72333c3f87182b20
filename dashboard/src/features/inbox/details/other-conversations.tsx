import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, must } from '../../../api/client';
import { shortTime } from '../../../i18n/time';
import { Badge } from '../../../kit/badge';
import { usePlainText } from '../../../kit/markdown/plain-text';
import { messages as inbox } from '../messages';
import { type Conversation, withoutMessage } from '../views';
import { messages as t } from './messages';
import { Section } from './section';

const SHOWN = 5;
const EXCERPT = 80;

/** Other conversations of the customer, newest first. The response includes this conversation, which is removed. */
const othersQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['conversations of', customerId],
    queryFn: async ({ signal }) => {
      const query = {
        filter: [`participant_id:${customerId}`],
        sort: 'last_message_at' as const,
        limit: SHOWN + 1,
        cursor: '',
      };
      return (await must(api.GET('/openapi/conversations', { params: { query }, signal }))).data;
    },
  });

export function OtherConversations({ conversation }: { readonly conversation: Conversation }) {
  const customer = conversation.participants.find(({ role }) => role === 'customer');
  if (customer === undefined) return null;
  return <Others customerId={customer.user_id} shownId={conversation.id} />;
}

function Others({ customerId, shownId }: { readonly customerId: string; readonly shownId: string }) {
  const { data = [] } = useQuery(othersQuery(customerId));
  const others = data.filter(({ id }) => id !== shownId).slice(0, SHOWN);
  if (others.length === 0) return null;
  return (
    <Section title={t('earlier')}>
      <ul className="flex flex-col gap-2">
        {others.map(({ id, number, status, title, last_message: last }) => (
          <li key={id} className="flex flex-col gap-0.5 text-sm">
            <span className="flex items-center justify-between gap-2">
              <Link
                to="/inbox/$number"
                params={{ number: String(number) }}
                search={withoutMessage}
                className="untrusted truncate text-accent-text hover:underline"
              >
                {title ?? inbox('number', { number })}
              </Link>
              <Badge>{inbox(status)}</Badge>
            </span>
            {last !== null && (
              <span className="flex justify-between gap-2 text-muted text-xs">
                <LastText message={last} />
                <time dateTime={last.created_at} className="shrink-0">
                  {shortTime(last.created_at)}
                </time>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function LastText({ message }: { readonly message: NonNullable<Conversation['last_message']> }) {
  return <span className="untrusted truncate">{usePlainText(message).slice(0, EXCERPT)}</span>;
}
