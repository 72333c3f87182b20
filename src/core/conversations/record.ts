import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { capabilitiesRecord } from '../platforms/record.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { conversationStatuses } from './states.js';

/** Conversations, their participants and links as the API returns them, version 1.0. */

export const conversationTypes = ['direct', 'group', 'channel'] as const;
export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const;
export const participantRoles = ['owner', 'agent', 'customer', 'bot'] as const;
export const linkDirections = ['two_way', 'inbound', 'outbound'] as const;
export const attributions = ['prefix', 'persona', 'none'] as const;

export const participantRecord = z
  .object({
    user_id: wireId,
    role: z.enum(participantRoles),
    joined_at: wireTime,
    left_at: wireTime.nullable(),
    last_read_at: wireTime.nullable(),
  })
  .meta({ id: 'Participant' });
export type ParticipantRecord = z.infer<typeof participantRecord>;

export const linkRecord = z
  .object({
    id: wireId,
    conversation_id: wireId,
    connection_id: wireId,
    platform: z.string(),
    external_id: z.string().meta({ description: "The platform's chat id." }),
    external_thread_id: z.string().nullable().meta({ description: 'Its topic or thread.' }),
    title: z.string().nullable(),
    direction: z.enum(linkDirections),
    attribution: z.enum(attributions),
    status: z.enum(['active', 'broken']).meta({ description: 'broken: chat gone or not accessible.' }),
    last_inbound_at: wireTime.nullable(),
    last_outbound_at: wireTime.nullable(),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Link' });
export type LinkRecord = z.infer<typeof linkRecord>;

export const conversationRecord = z
  .object({
    id: wireId,
    number: z.int().meta({ description: 'Per workspace, consecutive from 1, never reused.' }),
    type: z.enum(conversationTypes),
    title: z.string().nullable(),
    team: z.string().nullable(),
    status: z.enum(conversationStatuses),
    platform: z.string().nullable().meta({ description: 'Of the link used last.' }),
    platforms: z.array(z.string()),
    participants: z.array(participantRecord),
    assignee_id: wireId.nullable(),
    snoozed_until: wireTime.nullable(),
    labels: z.array(z.string()),
    priority: z.enum(priorities),
    unread_count: z.int().meta({ description: 'For the caller.' }),
    last_message: z
      .object({
        id: wireId,
        text: z.string(),
        content_type: z
          .literal('markdown')
          .optional()
          .meta({ description: 'Present where the text is Markdown.' }),
        sender_id: wireId,
        created_at: wireTime,
      })
      .nullable(),
    links: z.array(linkRecord),
    created_by: wireId,
    last_message_at: wireTime.nullable(),
    closed_at: wireTime.nullable().meta({ description: 'Set while resolved or archived.' }),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Conversation' });
export type ConversationRecord = z.infer<typeof conversationRecord>;

export const conversationCapabilitiesRecord = z
  .object({
    conversation_id: wireId,
    links: z.array(
      z.object({
        link_id: wireId,
        connection_id: wireId,
        platform: z.string(),
        capabilities: capabilitiesRecord,
      }),
    ),
    combined: capabilitiesRecord.meta({
      description: 'Weakest level and smallest limit of the links that messages go to.',
    }),
  })
  .meta({ id: 'ConversationCapabilities' });
export type ConversationCapabilitiesRecord = z.infer<typeof conversationCapabilitiesRecord>;

export const conversationList: ListSpec = recordList({
  sort: ['last_message_at', 'number'],
  metadata: true,
  filter: {
    status: { type: 'enum' },
    type: { type: 'enum' },
    platform: { type: 'array' },
    assignee_id: { type: 'uuid', nullable: true },
    team: { type: 'string', nullable: true },
    label: { type: 'array' },
    priority: { type: 'enum' },
    participant_id: { type: 'array', of: 'uuid' },
    number: { type: 'int' },
    title: { type: 'string', nullable: true },
    last_message_at: { type: 'timestamp', nullable: true },
    closed_at: { type: 'timestamp', nullable: true },
  },
});

export const linkList: ListSpec = recordList({
  filter: {
    connection_id: { type: 'uuid' },
    platform: { type: 'enum' },
    direction: { type: 'enum' },
    status: { type: 'enum' },
    external_id: { type: 'string' },
  },
});

/** Participants have no id of their own. Ties are broken by the user id. */
export const participantList: ListSpec = {
  sort: ['joined_at'],
  filter: { role: { type: 'enum' }, user_id: { type: 'uuid' } },
};
