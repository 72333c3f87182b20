import { z } from 'zod';

/**
 * The parts of an update that the bridge reads (https://core.telegram.org/bots/api#update). Everything without which
 * an event makes no sense is required; any other field that is malformed counts as absent.
 */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const id = z.number().int();
const text = optional(z.string());
/** Unix seconds that a Date can hold. */
const date = z.number().int().min(0).max(8_640_000_000_000);

const user = z.object({
  id,
  is_bot: optional(z.boolean()),
  first_name: z.string().catch(''),
  last_name: text,
  username: text,
  language_code: text,
});

const chat = z.object({
  id,
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
  title: text,
  first_name: text,
  last_name: text,
});

const entity = z.object({
  type: z.string(),
  offset: z.number().int(),
  length: z.number().int(),
  url: text,
  language: text,
  user: optional(z.object({ id })),
});

const entities = optional(z.array(entity.nullable().catch(null)));

/** Seconds. */
const duration = optional(z.number().int().min(0));

const file = z.object({
  duration,
  file_id: z.string(),
  file_name: text,
  mime_type: text,
  file_size: optional(z.number().int().min(0)),
});

const sticker = file.extend({
  emoji: text,
  is_animated: optional(z.boolean()),
  is_video: optional(z.boolean()),
});

const location = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  horizontal_accuracy: optional(z.number().min(0)),
  live_period: optional(z.number()),
  heading: optional(z.number().min(0).max(360)),
});

/** https://core.telegram.org/bots/api#message */
export const messageSchema = z.object({
  message_id: id,
  message_thread_id: optional(id),
  is_topic_message: optional(z.boolean()),
  from: optional(user),
  sender_chat: optional(chat),
  author_signature: text,
  is_automatic_forward: optional(z.boolean()),
  forward_origin: optional(z.object({ type: z.literal('channel'), chat: z.object({ id }), message_id: id })),
  date,
  edit_date: optional(date),
  chat,
  reply_to_message: optional(z.object({ message_id: id })),
  text,
  entities,
  caption: text,
  caption_entities: entities,
  rich_message: optional(z.unknown()),
  dice: optional(z.object({ emoji: z.string(), value: z.number() })),
  poll: optional(z.object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })),
  checklist: optional(z.object({ title: z.string(), tasks: z.array(z.object({ text: z.string() })) })),
  game: optional(z.object({ title: z.string(), description: text })),
  invoice: optional(z.object({ title: z.string(), description: text })),
  photo: optional(z.array(file)),
  video: optional(file),
  animation: optional(file),
  video_note: optional(file),
  audio: optional(file),
  voice: optional(file),
  document: optional(file),
  sticker: optional(sticker),
  location: optional(location),
  venue: optional(z.object({ location, title: text, address: text })),
  contact: optional(z.object({ phone_number: z.string(), first_name: z.string(), last_name: text })),
  new_chat_members: optional(z.array(user)),
  left_chat_member: optional(user),
  new_chat_title: text,
  forum_topic_created: optional(z.object({ name: z.string() })),
  forum_topic_edited: optional(z.object({ name: text })),
  migrate_to_chat_id: optional(id),
  migrate_from_chat_id: optional(id),
});

const member = z.object({ status: z.string(), user, is_member: optional(z.boolean()) });

/** https://core.telegram.org/bots/api#chatmemberupdated */
export const memberUpdateSchema = z.object({
  chat,
  from: user,
  date,
  old_chat_member: member,
  new_chat_member: member,
});

const button = z.object({ text: z.string(), callback_data: text });

/** https://core.telegram.org/bots/api#callbackquery. Without its message nobody knows which chat it is about. */
export const callbackSchema = z.object({
  id: z.string().min(1).max(128),
  from: user,
  data: text,
  message: z.object({
    message_id: id,
    message_thread_id: optional(id),
    is_topic_message: optional(z.boolean()),
    date,
    chat,
    reply_markup: optional(z.object({ inline_keyboard: z.array(z.array(button)) })),
  }),
});

const reaction = z.object({ type: z.string(), emoji: text });

/** https://core.telegram.org/bots/api#messagereactionupdated */
export const reactionUpdateSchema = z.object({
  chat,
  message_id: id,
  user: optional(user),
  actor_chat: optional(chat),
  date,
  old_reaction: z.array(reaction),
  new_reaction: z.array(reaction),
});

export type MessagePayload = z.infer<typeof messageSchema>;
export type MemberPayload = z.infer<typeof member>;
export type UserPayload = z.infer<typeof user>;
export type ChatPayload = z.infer<typeof chat>;
export type EntityPayload = z.infer<typeof entity>;
export type FilePayload = z.infer<typeof file>;
