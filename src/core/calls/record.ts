import { z } from 'zod';
import { type ListSpec, recordList } from '../listing/list-spec.js';
import { wireId, wireTime } from '../schema/scalars.js';
import { callStatuses } from './states.js';

/** Calls as both versions of the API return them. */

export const callTypes = ['voice', 'video'] as const;
const callParticipantStatuses = ['invited', 'ringing', 'joined', 'left', 'declined', 'missed'] as const;
/** Reasons that a client may give when it ends a call. */
export const clientEndReasons = ['completed', 'canceled', 'declined', 'busy'] as const;
const endReasons = [
  ...clientEndReasons,
  'no_answer',
  'connection_lost',
  'max_duration',
  'shutdown',
  'media_failure',
  'provider_error',
  'timed_out',
] as const;

export const callParticipantRecord = z
  .object({
    user_id: wireId,
    status: z.enum(callParticipantStatuses),
    joined_at: wireTime.nullable(),
    left_at: wireTime.nullable(),
  })
  .meta({ id: 'CallParticipant' });

const callError = z.object({
  code: z.string(),
  message: z.string(),
  permanent: z.boolean(),
  platform_code: z.string().nullable(),
});

export const callRecord = z
  .object({
    id: wireId,
    conversation_id: wireId,
    type: z.enum(callTypes),
    direction: z.enum(['outbound', 'inbound']),
    status: z.enum(callStatuses),
    end_reason: z.enum(endReasons).nullable(),
    ended_by: wireId.nullable().meta({ description: 'The user who ended it; null after a timeout.' }),
    error: callError.nullable(),
    platform: z.string().meta({ description: 'webrtc, pstn or a platform.' }),
    initiator_id: wireId,
    participants: z.array(callParticipantRecord),
    join_url: z
      .string()
      .nullable()
      .meta({ description: 'Page on which participants join; null once it is over.' }),
    recording_url: z.string().nullable(),
    ring_timeout: z.int().meta({ description: 'Seconds.' }),
    max_duration: z.int().meta({ description: 'Seconds.' }),
    started_at: wireTime,
    answered_at: wireTime.nullable(),
    ended_at: wireTime.nullable(),
    duration: z.int().nullable().meta({ description: 'Seconds from the answer to the end.' }),
    metadata: z.record(z.string(), z.unknown()),
    created_at: wireTime,
    updated_at: wireTime,
  })
  .meta({ id: 'Call' });
export type CallRecord = z.infer<typeof callRecord>;

export const callList: ListSpec = recordList({
  sort: ['started_at', 'duration'],
  metadata: true,
  filter: {
    status: { type: 'enum' },
    type: { type: 'enum' },
    direction: { type: 'enum' },
    platform: { type: 'enum' },
    conversation_id: { type: 'uuid' },
    initiator_id: { type: 'uuid' },
    participant_id: { type: 'array', of: 'uuid' },
    end_reason: { type: 'enum', nullable: true },
    started_at: { type: 'timestamp' },
    duration: { type: 'int', nullable: true },
  },
});

export const rtcTokenRecord = z
  .object({
    token: z.string().meta({ description: 'Bound to the call and the user.' }),
    user_id: wireId,
    url: z.string().meta({ description: 'Address of the WebSocket.' }),
    expires_at: wireTime,
  })
  .meta({ id: 'RtcToken' });
export type RtcToken = z.infer<typeof rtcTokenRecord>;

const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.string().optional(),
  credential: z.string().optional(),
});

export const iceServersRecord = z
  .object({
    ice_servers: z.array(iceServer).meta({ description: 'As RTCPeerConnection takes them.' }),
    expires_at: wireTime.nullable().meta({ description: 'When the credentials do; null without any.' }),
  })
  .meta({ id: 'IceServers' });
export type IceServers = z.infer<typeof iceServersRecord>;

export const signalAnswer = z.object({
  delivered: z.boolean().meta({ description: 'Whether a socket was open to receive it.' }),
});
