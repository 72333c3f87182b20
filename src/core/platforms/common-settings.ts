import { z } from 'zod';
import type { AdapterDefinition } from '../../contract/index.js';
import { url as webUrl } from '../schema/scalars.js';
import type { UncertainPolicy } from './uncertain-policy.js';

/** Settings that every connection has. */
export interface CommonSettings {
  readonly api_base_url: string;
  readonly ingress: 'webhook' | 'poll' | 'gateway';
  readonly uncertain_policy: UncertainPolicy;
  readonly unlinked_chats: 'create' | 'ignore';
  /** Absent: keep. */
  readonly messages_of_bots?: 'keep' | 'relay';
  /** Writes per second of the account; 0 means unlimited. */
  readonly rate_per_second: number;
  readonly chat_pacing: 'platform' | 'none';
}

/** `tls://host:port` or `tcp://host:port`. */
const socketUrl = z
  .string()
  .max(2048, { error: 'must have at most 2,048 characters' })
  .refine(
    (value) => /^(tls|tcp):\/\/([\w.-]+|\[[\da-f:.]+\]):\d{1,5}\/?$/i.test(value) && URL.canParse(value),
    {
      error: 'must be of the form tls://host:port',
      params: { code: 'invalid_format' },
    },
  )
  .meta({ type: 'string', format: 'uri' });

/** Whether the platform is reached over a bare socket instead of HTTP. */
function isSocket({ defaultApiBaseUrl }: AdapterDefinition): boolean {
  return /^(tls|tcp):/.test(defaultApiBaseUrl);
}

/** What the form of a connection shows in place of names and values. */
const LABELS = {
  api_base_url: {
    title: 'Address of the platform',
    description: 'Change it for a self-hosted server or a simulator.',
  },
  ingress: {
    title: 'How events arrive',
    enumTitles: {
      webhook: 'The platform calls a webhook',
      poll: 'The service polls the platform',
      gateway: 'The service keeps a gateway open',
    },
  },
  uncertain_policy: {
    title: 'When it is unknown whether a message was sent',
    description: 'Sending again can deliver a message twice.',
    enumTitles: { reconcile: 'Ask the platform', hold: 'Leave it to a person', retry: 'Send again' },
  },
  unlinked_chats: {
    title: 'When a person writes in a chat that is not linked',
    enumTitles: { create: 'Create a conversation', ignore: 'Ignore the message' },
  },
  messages_of_bots: {
    title: 'Messages of other bots',
    description: 'Without a choice they are recorded.',
    enumTitles: { keep: 'Record them', relay: 'Record them and pass them on to linked chats' },
  },
  rate_per_second: {
    title: 'Messages per second',
    description: 'How many messages the account may send; 0 means unlimited.',
  },
  chat_pacing: {
    title: 'Limits of each chat',
    enumTitles: {
      platform: 'Wait for the documented limits',
      none: 'Wait only when the platform asks for it',
    },
  },
};

/** The settings that every connection has, with the defaults of this platform. */
export function commonSettings(definition: AdapterDefinition) {
  return z.object({
    api_base_url: (isSocket(definition) ? socketUrl : webUrl)
      .default(definition.defaultApiBaseUrl)
      .meta(LABELS.api_base_url),
    ingress: z
      .enum(definition.ingress as [string, ...string[]])
      .default(definition.ingress[0] ?? 'webhook')
      .meta(LABELS.ingress),
    uncertain_policy: z
      .enum(['reconcile', 'hold', 'retry'])
      .default(definition.lookup ? 'reconcile' : 'hold')
      .meta(LABELS.uncertain_policy),
    unlinked_chats: z.enum(['create', 'ignore']).default('create').meta(LABELS.unlinked_chats),
    messages_of_bots: z.enum(['keep', 'relay']).optional().meta(LABELS.messages_of_bots),
    rate_per_second: z
      .number()
      .min(0)
      .max(100_000)
      .default(definition.rate.per_second ?? 0)
      .meta(LABELS.rate_per_second),
    chat_pacing: z.enum(['platform', 'none']).default('platform').meta(LABELS.chat_pacing),
  });
}
