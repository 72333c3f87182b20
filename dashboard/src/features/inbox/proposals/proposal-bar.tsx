import { useQuery } from '@tanstack/react-query';
import { Bot, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Proposal } from '../../../api/inbox-paths';
import { usePermissions } from '../../../api/session';
import { momentTime } from '../../../i18n/time';
import { Button } from '../../../kit/button';
import { inputLook } from '../../../kit/field';
import { ScrolledText } from '../../../kit/scrolled-text';
import { messages as t } from './messages';
import { proposalsQuery, useDecision } from './queries';

const MAX_LENGTH = 10_000;

/** The oldest message that an agent proposes for the conversation, with the number of other proposals. */
export function ProposalBar({ conversationId }: { readonly conversationId: string }) {
  const { data = [] } = useQuery(proposalsQuery(conversationId));
  const [first] = data;
  if (first === undefined) return null;
  return <ProposalCard key={first.id} proposal={first} others={data.length - 1} />;
}

interface ProposalCardProps {
  readonly proposal: Proposal;
  readonly others: number;
}

function ProposalCard({ proposal, others }: ProposalCardProps) {
  const { canWrite } = usePermissions();
  const [edited, setEdited] = useState<string>();
  const { proposer, text, expires_at, read_others } = proposal;
  return (
    <section
      aria-label={t('title')}
      className="mx-3 mb-2 flex flex-col gap-2 rounded-md border border-line bg-info-soft p-3 text-sm"
    >
      <p className="flex items-start gap-2">
        <Bot aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0">
          <span className="untrusted font-medium">{t('proposes', { name: proposer })}</span>{' '}
          <span className="text-muted">
            {t('expires', { time: momentTime(expires_at) })}
            {others > 0 && ` ${t('others', { count: others })}`}
          </span>
        </span>
      </p>
      {edited === undefined ? (
        <ScrolledText text={text} isMarkdown={false} />
      ) : (
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the person asked for this field a moment ago.
          autoFocus
          aria-label={t('editText')}
          rows={4}
          maxLength={MAX_LENGTH}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
          className={`${inputLook} resize-none py-1.5`}
        />
      )}
      {read_others > 0 && (
        <p className="flex items-start gap-2 text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{t('readOthers', { count: read_others })}</span>
        </p>
      )}
      {canWrite && <Decision proposal={proposal} edited={edited} onEdit={setEdited} />}
    </section>
  );
}

interface DecisionProps {
  readonly proposal: Proposal;
  readonly edited: string | undefined;
  readonly onEdit: (text: string | undefined) => void;
}

function Decision({ proposal, edited, onEdit }: DecisionProps) {
  const { approve, refuse, isPending } = useDecision(proposal.conversation_id);
  const isEmpty = edited?.trim() === '';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="sm"
        kind="primary"
        disabled={isPending || isEmpty}
        onClick={() => approve.mutate({ id: proposal.id, text: edited })}
      >
        {t(edited === undefined ? 'approve' : 'sendEdited')}
      </Button>
      {edited === undefined ? (
        <Button size="sm" disabled={isPending} onClick={() => onEdit(proposal.text)}>
          {t('edit')}
        </Button>
      ) : (
        <Button size="sm" disabled={isPending} onClick={() => onEdit(undefined)}>
          {t('cancelEdit')}
        </Button>
      )}
      <Button size="sm" kind="danger" disabled={isPending} onClick={() => refuse.mutate(proposal.id)}>
        {t('refuse')}
      </Button>
    </div>
  );
}
