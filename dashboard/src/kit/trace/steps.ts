import {
  Ban,
  Check,
  CheckCheck,
  CircleAlert,
  CircleHelp,
  CircleStop,
  Download,
  Eye,
  ListPlus,
  type LucideIcon,
  MailCheck,
  Megaphone,
  Pencil,
  Play,
  Radio,
  Route,
  Save,
  Send,
  Webhook,
} from 'lucide-react';
import type { Schemas } from '../../api/client';
import { duration, fullTime } from '../../i18n/time';
import { degradationText } from '../degradations';
import { messages as t } from './messages';

type Step = Schemas['TraceStep'];

const ICONS: Readonly<Record<Step['type'], LucideIcon>> = {
  envelope_received: Download,
  recipient_added: Megaphone,
  recipient_queued: Megaphone,
  message_accepted: Save,
  delivery_created: Route,
  message_edited: Pencil,
  attempt_started: Play,
  parts_planned: ListPlus,
  part_sent: Send,
  attempt_finished: CircleStop,
  delivery_uncertain: CircleHelp,
  delivery_sent: Check,
  delivery_delivered: CheckCheck,
  delivery_read: MailCheck,
  delivery_failed: CircleAlert,
  delivery_canceled: Ban,
  message_read: Eye,
  event_recorded: Radio,
  webhook_queued: Webhook,
  webhook_tried: Webhook,
};

const OUTCOMES = {
  sent: 'outcomeSent',
  retry: 'outcomeRetry',
  failed: 'outcomeFailed',
  blocked: 'outcomeBlocked',
  uncertain: 'outcomeUncertain',
  waiting: 'outcomeWaiting',
} as const;

/** The icon of a step. Its colour only repeats the text. */
export function lookOf(step: Step): { readonly icon: LucideIcon; readonly colour: string } {
  const icon = ICONS[step.type];
  if (step.type === 'delivery_uncertain' || step.status === 'uncertain')
    return { icon, colour: 'text-warning' };
  const isTrouble = step.error !== null || step.failure !== null;
  return { icon, colour: isTrouble ? 'text-danger' : 'text-muted' };
}

/** Additional information about a step, in one line. */
export function detailOf(step: Step): string {
  const { error } = step;
  return [
    step.event,
    step.operation && `${t(step.operation)}, ${t('revision', { revision: step.revision ?? 1 })}`,
    step.type === 'message_edited' && t('revision', { revision: step.revision ?? 1 }),
    step.type === 'attempt_finished' && outcomeOf(step.status),
    step.send_at && t('toBeSent', { at: fullTime(step.send_at) }),
    step.parts !== null && t('parts', { count: step.parts }),
    step.degradations !== null && step.degradations.length > 0 && degradationText(step.degradations),
    placeOf(step),
    step.tries !== null && step.tries > 1 && t('tries', { count: step.tries }),
    step.status_code !== null && `HTTP ${step.status_code}`,
    step.failure,
    error && [error.message, error.platform_code].filter(Boolean).join(' · '),
    step.duration_ms !== null && t('took', { time: duration(step.duration_ms) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

function outcomeOf(status: string | null): string | null {
  return status !== null && status in OUTCOMES ? t(OUTCOMES[status as keyof typeof OUTCOMES]) : status;
}

function placeOf({ type, part, external_id: id }: Step): string | null {
  if (type === 'delivery_created') return t('chat', { id: id ?? '' });
  return part === null ? id : t('part', { number: part + 1, id: id ?? '–' });
}
