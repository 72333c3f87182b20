/** Descriptions of the request fields of broadcasts, segments, templates, calls, places and connections. */
export const audienceFields: Readonly<Record<string, string>> = {
  'broadcasts.name':
    'Name of the broadcast, 1 to 256 characters. Default: `Broadcast` and the time of its creation.',
  'broadcasts.category':
    '`marketing` needs `consent.marketing` of each recipient not to be `denied`, `transactional` `consent.notification`. Default `marketing`.',
  'broadcasts.text':
    'The text, 1 to 10,000 characters, with variables such as `{{name}}`. Either this or `template_id`.',
  template_id: 'Id of a template to send. Either this or `text`.',
  variables: 'Values of the variables in the text, for all recipients.',
  'recipients.variables': 'Values of the variables in the text, for this recipient. They take precedence.',
  variants: 'Up to 10 variants of the text or attachments. Each recipient gets one, by weight.',
  key: 'Name of the variant, unique in the broadcast, 1 to 32 characters.',
  weight: 'Share of the recipients relative to the other variants, 1 to 100.',
  'variants.text': 'Text in place of the one of the broadcast, 1 to 10,000 characters.',
  'variants.attachments': 'Up to 10 attachments in place of those of the broadcast.',
  platforms: 'Up to 50 platforms in order of preference. Default: each recipient’s own order.',
  audience: 'Who receives the broadcast: users, segments, addresses and a filter together.',
  user_ids: 'Ids of up to 10,000 users.',
  segment_ids: 'Ids of up to 100 segments.',
  recipients: 'Addresses that need not be contacts yet; up to 10,000 together with `user_ids`.',
  'recipients.platform': 'Platform of the address.',
  'recipients.address': 'Address on the platform, such as a phone number in E.164 form, 1 to 256 characters.',
  filter: 'Contacts that the filter of `GET /openapi/users` finds, up to 1,024 characters.',
  exclude: 'Users and segments that are excluded although the audience includes them.',
  'exclude.user_ids': 'Ids of up to 10,000 excluded users.',
  'exclude.segment_ids': 'Ids of up to 100 segments whose members are excluded.',
  fallback: 'Tries the next platform when a recipient is not reached in time. Default: no fallback.',
  after_seconds: 'Seconds to wait before the next platform, 60 to 86,400.',
  success_status: 'Delivery status that counts as reached: `sent`, `delivered` or `read`.',
  throttle: 'Limits how fast the broadcast is sent. Default: as fast as the platforms allow.',
  per_minute: 'Most recipients per minute, 1 to 60,000.',
  schedule:
    'When the broadcast starts, its quiet hours, and when it ends. Default: it begins when it is started.',
  at: 'When to start: at most 365 days ahead.',
  local_time:
    'Local time of the recipients at which to send, as `YYYY-MM-DDTHH:mm`. Instead of `at`, with mode `recipient_local`.',
  mode: '`fixed`: the same moment for all. `recipient_local`: the same time of day in each recipient’s time zone.',
  quiet_hours: 'Hours in which nothing is sent. Default: none.',
  days: 'Days of the week to which the quiet hours apply, 0 (Sunday) to 6 (Saturday). Default: every day.',
  'quiet_hours.from': 'Begin of the quiet hours, as `HH:mm`. Required with `to`.',
  'quiet_hours.to': 'End of the quiet hours, as `HH:mm`. It may lie on the next day; required with `from`.',
  'quiet_hours.timezone':
    'IANA time zone of the quiet hours, such as `Europe/Berlin`. Default: each recipient’s own.',
  'schedule.expires_at':
    'When the broadcast ends; recipients who were not written to by then are skipped. After `at`.',
  recipient_ids: 'Another name of `audience.user_ids`.',
  draft: '`true` stores the broadcast without starting it. Default `false`.',
  dry_run: '`true` returns the expected result of the broadcast and stores nothing. Default `false`.',
  'segments.name': 'Name of the segment, 1 to 256 characters.',
  'segments.filter':
    'Filter of `GET /openapi/users` that finds the members, up to 1,024 characters. Either this or `user_ids`.',
  'segments.user_ids': 'Ids of up to 10,000 users. Either this or `filter`.',
  'segments.file': 'CSV file with a header line. Each row names a recipient.',
  'templates.name': 'Name of the template, 1 to 256 characters.',
};

export const callFields: Readonly<Record<string, string>> = {
  'calls.conversation_id':
    'Id or number of the conversation whose participants are called. Exactly one of this, `participant_ids` and `to`.',
  'calls.participant_ids': 'Ids of 1 to 249 users to call. Exactly one of this, `conversation_id` and `to`.',
  'calls.to': 'Address to call. Exactly one of this, `conversation_id` and `participant_ids`.',
  'to.platform': 'Platform of the address.',
  'to.address': 'Address on the platform, 1 to 256 characters.',
  'calls.type': '`voice` or `video`. Default `voice`.',
  ring_timeout: 'Seconds to ring before the call ends as `no_answer`, 5 to 180. Default 60.',
  max_duration: 'Longest duration of the call in seconds, 60 to 14,400. Default 14,400.',
  'calls/end.reason': 'Reason that is recorded. Default: the one that follows from the state of the call.',
  'calls/token.user_id': 'Id of the participant whom the token is for. Default: the caller.',
  'calls/signal.type':
    'Kind of signal. `offer`, `answer` and `candidate` go to one participant and need `to` and `payload`.',
  'calls/signal.to': 'Id of the participant who receives the signal.',
  payload: 'Session description or candidate, passed on unchanged.',
};

export const placeFields: Readonly<Record<string, string>> = {
  'locations.user_id': 'Id of the user. Default of a new location: the caller.',
  latitude: 'Latitude in degrees, -90 to 90. Required without `points`.',
  longitude: 'Longitude in degrees, -180 to 180. Required without `points`.',
  'points.latitude': 'Latitude in degrees, -90 to 90.',
  'points.longitude': 'Longitude in degrees, -180 to 180.',
  points: '1 to 100 locations at once, in place of the fields of one.',
  accuracy: 'Accuracy of the position in metres, 0 or more.',
  altitude: 'Altitude in metres.',
  altitude_accuracy: 'Accuracy of the altitude in metres, 0 or more.',
  heading: 'Direction of movement in degrees clockwise from north, 0 to 360.',
  speed: 'Speed in metres per second, 0 or more.',
  source: '`device` for a measured position, `manual` for an entered one. Default `manual`.',
  address: 'Postal address or name of the place, up to 512 characters.',
  tracking_session_id:
    'Id of the tracking session. Default of a new location: the user’s active session if there is exactly one; null: none.',
  recorded_at: 'When the position was measured, at most 5 minutes ahead. Default: now.',
  'locations.from': 'Only locations recorded at this time or later.',
  'locations.to': 'Only locations recorded before this time.',
  'locations/tracking.user_id': 'Id of the user who is tracked. Default: the caller.',
  'locations/tracking.conversation_id': 'Id or number of the conversation that the tracking belongs to.',
  purpose: 'Why the position is tracked, up to 256 characters. The tracked person sees it.',
  interval_seconds: 'Seconds between two positions, 1 to 3,600. Default 15.',
  share_with: 'Ids of up to 250 members who see the session. Default: none.',
  duration_seconds: 'Seconds after which the session ends, 60 to 86,400. Default 3,600.',
  granted: 'Whether the tracked person agrees.',
};

export const serviceFields: Readonly<Record<string, string>> = {
  'platforms/connections.credentials':
    'Credentials of the platform account, by the schema of the platform (`GET /openapi/platforms/{platform}`).',
  'platforms/connections.settings':
    'Settings of the connection, by the schema of the platform (`GET /openapi/platforms/{platform}`).',
  'platforms/connections.name': 'Name of the connection, 1 to 256 characters.',
  enabled: 'Whether the connection reads and writes. Default `true`.',
  'webhooks.url':
    'Address that receives the events. It must be public; `https` is required outside of development.',
  events: 'Events to receive, 1 to 100: names, groups such as `messages`, or `*`.',
  secret: 'Secret for the signatures: `whsec_` and 24 to 64 bytes in base64. Default: a generated one.',
  'webhooks.status': '`enabled` or `disabled`. Default `enabled`.',
  headers: 'Up to 10 additional headers of each request. Names begin with `X-`, but not with `X-Service-`.',
  description: 'Note for people, up to 256 characters. Default: none.',
  rate_limit: 'Most deliveries per second, 1 to 1,000. Default: no limit.',
  overlap_seconds: 'Seconds during which the old secret signs as well, 0 to 604,800. Default 86,400.',
  since: 'Dead deliveries since this time are sent again. At most 30 days ago.',
  message_id: 'Id of the message whose text is translated. Either this or `text`.',
  'translations.text': 'Text to translate, 1 to 10,000 characters. Either this or `message_id`.',
  target_language: 'Language to translate into, as a BCP 47 tag such as `de`.',
  source_language: 'Language of the text, as a BCP 47 tag. Default: detected.',
  'analytics.from': 'Begin of the period. Default: 7 days before `to`.',
  'analytics.to': 'End of the period, exclusive, at most 400 days after `from`. Default: now.',
  interval: 'Length of a bucket: `day`, or `hour` for at most 31 days. Default `day`.',
  group_by: 'Splits the series by `platform`, `status` or `agent`. Default: one series.',
  'tv/networks/schedule.from': 'Begin of the period of the schedule. Default: now.',
  'tv/networks/schedule.to':
    'End of the period, at most 14 days after `from`. Default: 24 hours after `from`.',
};
