import type { CallRecord, IceServers, RtcToken } from '../../../core/calls/record.js';
import type { LocationRecord, TrackingSessionRecord } from '../../../core/extras/locations/record.js';
import type { UserRecord } from '../../../core/users/record.js';
import { dated, ids, later, now, soon } from './ids.js';

export const user: UserRecord = {
  id: ids.contact,
  username: 'ada',
  display_name: 'Ada Lovelace',
  email: 'ada@example.com',
  profile_image: `https://bridge.example/avatars/${ids.contact}.svg`,
  status: 'active',
  kind: 'contact',
  presence: 'offline',
  last_seen_at: null,
  phone: '+4915112345678',
  locale: 'en-GB',
  timezone: 'Europe/London',
  identities: [
    {
      platform: 'telegram',
      external_id: '884422',
      handle: 'ada',
      verified: true,
      reachable: true,
      opt_out: [],
    },
  ],
  channel_priority: ['telegram', 'sms'],
  consent: { marketing: 'granted', notification: 'unknown', tracking: 'unknown' },
  metadata: {},
  ...dated,
};

export const call: CallRecord = {
  id: ids.call,
  conversation_id: ids.conversation,
  type: 'voice',
  direction: 'outbound',
  status: 'initiated',
  end_reason: null,
  ended_by: null,
  error: null,
  platform: 'webrtc',
  initiator_id: ids.owner,
  participants: [
    { user_id: ids.owner, status: 'joined', joined_at: now, left_at: null },
    { user_id: ids.contact, status: 'ringing', joined_at: null, left_at: null },
  ],
  join_url: 'https://bridge.example/join/AZt22qgAcACAAAAAAADKEQ',
  recording_url: null,
  ring_timeout: 60,
  max_duration: 14_400,
  started_at: now,
  answered_at: null,
  ended_at: null,
  duration: null,
  metadata: {},
  ...dated,
};

export const rtcToken: RtcToken = {
  token: 'AZt22qgAcACAAAAAAADKEQAAAABpV7kA',
  user_id: ids.contact,
  url: 'wss://bridge.example/v1/openapi/rtc',
  expires_at: '2026-01-01T00:10:00.000Z',
};

export const iceServers: IceServers = {
  ice_servers: [
    { urls: ['stun:stun.example:3478'] },
    {
      urls: ['turn:turn.example:3478?transport=udp'],
      username: `1767226200:${ids.owner}`,
      credential: 'Zm9yIHRlbiBtaW51dGVz',
    },
  ],
  expires_at: '2026-01-01T00:10:00.000Z',
};

export const location: LocationRecord = {
  id: ids.location,
  user_id: ids.contact,
  latitude: 52.5163,
  longitude: 13.3777,
  accuracy: 8,
  altitude: null,
  altitude_accuracy: null,
  heading: null,
  speed: null,
  source: 'manual',
  platform: null,
  address: 'Pariser Platz, Berlin',
  tracking_session_id: ids.session,
  recorded_at: soon,
  metadata: {},
  ...dated,
};

export const trackingSession: TrackingSessionRecord = {
  id: ids.session,
  user_id: ids.contact,
  conversation_id: ids.conversation,
  status: 'active',
  end_reason: null,
  purpose: 'Delivery of the sofa',
  interval_seconds: 15,
  share_with: [ids.owner],
  started_by: ids.owner,
  consent: { status: 'granted', granted_at: now, method: 'recorded' },
  points_count: 1,
  expires_at: later,
  last_location: location,
  started_at: now,
  ended_at: null,
  metadata: {},
  created_at: now,
  updated_at: soon,
};
