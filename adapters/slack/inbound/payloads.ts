import { z } from 'zod';
import { blocksSchema } from './from-blocks.js';

/**
 * The fields of Slack's payloads that the bridge reads (docs.slack.dev/reference/events). Everything except the
 * identity of an event is optional and tolerant, so one malformed field never costs the message.
 */
const text = z.string().optional().catch(undefined);
const id = z.string().min(1).max(255);
const optionalId = id.optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const amount = z.number().nonnegative().optional().catch(undefined);

const file = z.object({
  id,
  name: text,
  title: text,
  mimetype: text,
  size: amount,
  /** `tombstone`: deleted. `hidden_by_limit`: hidden by the plan. `external`: stored by another service. */
  mode: text,
  filetype: text,
  /** `check_file_info`: a file of another workspace, with only its id. */
  file_access: text,
  is_external: flag,
  url_private: text,
  permalink: text,
  external_url: text,
  duration_ms: amount,
  alt_txt: text,
});
export type SlackFile = z.infer<typeof file>;

/** Slack accepts at most one hundred attachments per message. */
const MAX_LISTED = 100;
const first = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, MAX_LISTED) : value);

export const filesSchema = z.preprocess(
  first,
  z.array(file.nullable().catch(null)).optional().catch(undefined),
);

const attachmentsSchema = z
  .preprocess(first, z.array(z.looseObject({}).nullable().catch(null)).optional().catch(undefined))
  .transform((all) => all?.filter((one) => one !== null));
export type SlackAttachment = NonNullable<z.infer<typeof attachmentsSchema>>[number];

const messageFields = {
  ts: z.string(),
  subtype: text,
  text,
  user: optionalId,
  bot_id: optionalId,
  username: text,
  app_id: text,
  bot_profile: z.object({ name: text, app_id: text }).optional().catch(undefined),
  /** The profile of a person from another workspace, which users.info may not know. */
  user_profile: z.object({ display_name: text, real_name: text, name: text }).optional().catch(undefined),
  thread_ts: optionalId,
  edited: z.object({ ts: text }).optional().catch(undefined),
  blocks: blocksSchema,
  files: filesSchema,
  attachments: attachmentsSchema,
};

const messageSchema = z.object(messageFields);
export type SlackMessage = z.infer<typeof messageSchema>;

const optionalMessage = messageSchema.optional().catch(undefined);

/** `app_mention` repeats a message. An app without the history scopes receives only this event. */
export const messageEventSchema = z.object({
  ...messageFields,
  type: z.enum(['message', 'app_mention']),
  channel: id,
  channel_type: text,
  event_ts: text,
  deleted_ts: text,
  message: optionalMessage,
  previous_message: optionalMessage,
});
export type MessageEvent = z.infer<typeof messageEventSchema>;

export const memberEventSchema = z.object({
  type: z.enum(['member_joined_channel', 'member_left_channel']),
  user: id,
  channel: id,
  channel_type: text,
  event_ts: text,
});
export type MemberEvent = z.infer<typeof memberEventSchema>;

export const renameEventSchema = z.object({
  type: z.enum(['channel_rename', 'group_rename']),
  channel: z.object({ id, name: z.string().min(1) }),
  event_ts: text,
});
export type RenameEvent = z.infer<typeof renameEventSchema>;

export const reactionEventSchema = z.object({
  type: z.enum(['reaction_added', 'reaction_removed']),
  user: id,
  reaction: z.string().min(1),
  item: z.object({ type: z.literal('message'), channel: id, ts: z.string() }),
  event_ts: text,
});
export type ReactionEvent = z.infer<typeof reactionEventSchema>;

/** The app can no longer write to a channel, or can again. */
export const accessEventSchema = z.object({
  type: z.enum([
    'channel_archive',
    'channel_deleted',
    'channel_left',
    'channel_unarchive',
    'group_archive',
    'group_deleted',
    'group_left',
    'group_unarchive',
  ]),
  channel: id,
  event_ts: text,
});
export type AccessEvent = z.infer<typeof accessEventSchema>;

/** A channel gets a new id when it is shared with another organisation. */
export const movedEventSchema = z.object({
  type: z.literal('channel_id_changed'),
  old_channel_id: id,
  new_channel_id: id,
  event_ts: text,
});
export type MovedEvent = z.infer<typeof movedEventSchema>;

export const callbackSchema = z.object({
  type: z.literal('event_callback'),
  api_app_id: text,
  event_time: z.number().optional().catch(undefined),
  event: z.looseObject({ type: z.string() }),
  authorizations: z
    .array(z.object({ user_id: text, is_bot: flag }))
    .optional()
    .catch(undefined),
});
export type Callback = z.infer<typeof callbackSchema>;

/** docs.slack.dev/interactivity/implementing-slash-commands#app_command_handling */
export const commandSchema = z.object({
  command: z.string().startsWith('/'),
  text,
  user_id: id,
  user_name: text,
  channel_id: id,
  channel_name: text,
});
export type Command = z.infer<typeof commandSchema>;

/** docs.slack.dev/reference/block-kit/block-elements/button-element */
const MAX_VALUE_LENGTH = 2_000;

const label = z.object({ type: text, text: z.string() }).optional().catch(undefined);
const option = z.object({ text: label, value: text }).optional().catch(undefined);
const options = z.array(option).max(200).optional().catch(undefined);
const ids = z.array(z.string()).max(200).optional().catch(undefined);

/** The pressed or selected element (docs.slack.dev/reference/block-kit/block-elements). */
const action = z.object({
  type: text,
  text: label,
  value: z.string().max(MAX_VALUE_LENGTH).optional().catch(undefined),
  selected_option: option,
  selected_options: options,
  selected_date: text,
  selected_time: text,
  selected_date_time: z.number().optional().catch(undefined),
  selected_user: text,
  selected_users: ids,
  selected_channel: text,
  selected_channels: ids,
  selected_conversation: text,
  selected_conversations: ids,
  rich_text_value: z.unknown().optional(),
  action_id: text,
});
export type Action = z.infer<typeof action>;

/** docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export const actionsSchema = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id, name: text, username: text }),
  channel: z.object({ id, name: text }),
  container: z.object({ message_ts: optionalId, thread_ts: optionalId }).optional().catch(undefined),
  message: z.object({ ts: optionalId, thread_ts: optionalId }).optional().catch(undefined),
  actions: z.array(action).min(1),
});
export type Actions = z.infer<typeof actionsSchema>;

/** Sent instead of events when a workspace produces more than 30,000 an hour (docs.slack.dev/reference/events/app_rate_limited). */
export const rateLimitedSchema = z.object({
  type: z.literal('app_rate_limited'),
  team_id: text,
  minute_rate_limited: z.number().int().min(0).max(4_000_000_000),
});

/** Stored by the adapter itself: missed events that cannot be fetched. */
export const gapSchema = z.object({ type: z.literal('gap'), since: z.iso.datetime(), reason: z.string() });
