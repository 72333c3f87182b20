/** Descriptions of the request fields of messages, conversations and people. */
export const messageFields: Readonly<Record<string, string>> = {
  text: 'The text, up to 10,000 characters. It may be empty when there is an attachment.',
  content: 'What the message says: its text, the format of the text, and attachments.',
  'sandbox/inbound.content': 'The text that the simulated person writes, up to 10,000 characters.',
  content_type: 'How the text is read: `text` as it stands, or `markdown`. Default `text`.',
  format: 'How the text is read: `text` as it stands, or `markdown`. Default `text`.',
  attachments: 'Up to 10 attachments: objects, or URLs of files.',
  url: 'Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.',
  upload_id: 'Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.',
  'attachments.type':
    'Kind of attachment. Default: found from the file. `location` and `contact` have no file.',
  'attachments.name':
    'File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload.',
  mime_type: 'Media type, such as `image/png`. Default: found from the file.',
  alt_text: 'Description of the content for people who cannot see it, up to 1,000 characters.',
  'attachments.latitude': 'Latitude of a location in degrees, -90 to 90. Required for type `location`.',
  'attachments.longitude': 'Longitude of a location in degrees, -180 to 180. Required for type `location`.',
  category:
    'Purpose of the message. `marketing` needs `consent.marketing` and `transactional` needs `consent.notification` not to be `denied`. Default `conversational`.',
  reply_to_id: 'Id of the message that this one answers, in the same conversation.',
  thread_id:
    'Id of the message that begins the thread, in the same conversation. That message has no `thread_id` itself.',
  send_at: 'When to send: at most 365 days ahead. Up to 60 seconds in the past counts as now. Default: now.',
  ttl_seconds:
    'Seconds after which an unsent delivery expires, counted from acceptance or from `send_at`: 60 to 604,800. Default 86,400.',
  internal: '`true` makes a note for members that no platform receives. Default `false`.',
  metadata: 'Data of your own as a JSON object. The service stores it and does not read it.',
  'attachments.file': 'The file. Its part of the form comes last or alone.',
  conversation_id: 'Id of the conversation, or its number.',
  'sandbox/inbound.external_message_id':
    'Id of the message on the simulated platform. A repeated id is the same message.',
  message:
    'First message of the conversation, with the fields of `POST /openapi/messages` except the conversation.',
  'conversations.type': 'Kind of conversation. Default: `direct` between two people, otherwise `group`.',
  'conversations.title': 'Title, up to 256 characters.',
  'links.title': 'Name of the chat, 1 to 256 characters. Default: its name on the platform.',
  'conversations/links.title': 'Name of the chat, 1 to 256 characters. Default: its name on the platform.',
  team: 'Name of the team that works on the conversation, up to 256 characters. A name that no team has creates a team.',
  'conversations.platform':
    'Platform by which a direct conversation with a contact is linked. Default: the first of the contact’s `channel_priority` that works, then the identity used last.',
  labels: 'Up to 50 different labels of 1 to 256 characters. In a change they replace all labels.',
  priority: 'Priority for members. Default `none`.',
  participant_ids: 'Ids of up to 249 users. The caller always takes part and need not be named.',
  recipient:
    'Address of a person on a platform: opens the direct conversation with them. Excludes `participant_ids` and `links`.',
  'recipient.platform': 'Platform of the address.',
  'recipient.address':
    'Address of the person on the platform, such as a phone number in E.164 form, 1 to 256 characters.',
  'recipient.connection_id': 'Connection by which to write. Default: a connected one of that platform.',
  links: 'Up to 20 platform chats that show the conversation.',
  connection_id: 'Id of the connection that reads and writes the chat.',
  external_id: 'Id of the chat on the platform, 1 to 256 characters.',
  external_thread_id:
    'Id of a topic or thread within the chat, 1 to 256 characters. Default: the chat itself.',
  direction:
    '`two_way`, `inbound` (messages of the chat come in, nothing is sent) or `outbound` (the reverse). Default `two_way`.',
  attribution:
    'How a relayed message names its sender: `prefix` before the text, `persona` as name and avatar where the platform has that, or `none`. Default `prefix`.',
  'conversations.status': 'Status of the conversation. `snoozed` requires `snoozed_until`.',
  assignee_id: 'Id of the member who works on the conversation; null removes the assignment.',
  snoozed_until:
    'When the conversation opens again. In the future; required with status `snoozed`, and only allowed with it.',
  'conversations/participants.user_id': 'Id of the user who joins.',
  role: 'Role in the conversation. Default: `customer` for a contact, `agent` for a member.',
  state: '`started` or `stopped`: whether the caller is typing.',
};

export const peopleFields: Readonly<Record<string, string>> = {
  username: 'Unique name in the workspace: 3 to 64 of `a-z`, `0-9`, `_`, `.` and `-`.',
  display_name: 'Name that people see, 1 to 128 characters.',
  email: 'E-mail address, up to 254 characters. Default: empty.',
  profile_image: 'URL of a picture, up to 2,048 characters. An empty string removes it.',
  'users.status': '`blocked` stops all messages to and from the contact; `active` ends that.',
  presence: 'Whether the user is there. Once set, it stays until it is changed.',
  phone:
    'Phone number in E.164 form, such as `+12025550100`; null removes it. Spaces and `-().` are left out.',
  locale: 'Language as a BCP 47 tag, such as `de-DE`, up to 64 characters.',
  timezone: 'IANA time zone, such as `Europe/Berlin`.',
  identities: 'Up to 50 addresses of the contact on platforms. In a change they replace all identities.',
  'identities.platform': 'Platform of the identity.',
  'identities.external_id':
    'Id of the person on the platform, 1 to 256 characters; a phone number for `sms`.',
  handle: 'Name that the platform shows for the person, such as `@ada`, 1 to 256 characters.',
  channel_priority:
    'Up to 50 platforms in the order in which to reach the contact. Default: the identity used last.',
  consent: 'Consents to change; the others stay as they are.',
  marketing: 'Whether the contact takes marketing messages. Default `unknown`.',
  notification: 'Whether the contact takes notifications. Default `unknown`.',
  tracking: 'Whether the contact agrees to location tracking. Default `unknown`.',
  'users/merge.source_id': 'Id of the contact that is merged into the one of the path and then removed.',
};
