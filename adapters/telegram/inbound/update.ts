import { z } from 'zod';

/**
 * The fields of an update that the bridge reads (https://core.telegram.org/bots/api#update). A field is required if its
 * event makes no sense without it. Any other malformed field counts as absent.
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
  username: text,
  is_direct_messages: optional(z.boolean()),
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
  file_id: z.string().min(1).max(2_048),
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

/** https://core.telegram.org/bots/api#messageorigin */
const origin = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), sender_user: user }),
  z.object({ type: z.literal('hidden_user'), sender_user_name: z.string() }),
  z.object({ type: z.literal('chat'), sender_chat: chat, author_signature: text }),
  z.object({ type: z.literal('channel'), chat, message_id: id, author_signature: text }),
]);

/** https://core.telegram.org/bots/api#directmessagestopic */
const directTopic = z.object({ topic_id: id, user: optional(user) });

const story = z.object({ chat, id });
const task = z.object({
  id: optional(z.number().int()),
  text: z.string(),
  text_entities: entities,
  completed_by_user: optional(z.unknown()),
  completed_by_chat: optional(z.unknown()),
  completion_date: optional(z.number()),
});
const checklist = z.object({ title: z.string(), title_entities: entities, tasks: z.array(task) });
const paidMedia = z.object({ paid_media: z.array(z.object({ type: z.string() })).catch([]) });
const offer = z.object({ title: z.string(), description: text });
const winners = z.object({ winners: optional(z.array(user)), prize_description: text });

/** Content that is described in words, in messages and in messages of other chats that they reply to. */
const described = {
  dice: optional(z.object({ emoji: z.string(), value: z.number() })),
  poll: optional(
    z.object({
      question: z.string(),
      question_entities: entities,
      description: text,
      description_entities: entities,
      options: z.array(z.object({ text: z.string(), text_entities: entities })),
    }),
  ),
  checklist: optional(checklist),
  game: optional(offer),
  invoice: optional(offer),
  story: optional(story),
  paid_media: optional(paidMedia),
  giveaway: optional(z.object({ prize_description: text })),
  giveaway_winners: optional(winners),
};

const present = optional(z.unknown());

/** https://core.telegram.org/bots/api#externalreplyinfo */
const externalReply = z.object({
  origin,
  chat: optional(chat),
  message_id: optional(id),
  ...described,
  animation: present,
  audio: present,
  document: present,
  live_photo: present,
  photo: present,
  sticker: present,
  video: present,
  video_note: present,
  voice: present,
  contact: present,
  venue: present,
  location: present,
});

const gift = z.object({ text, entities });
const checklistMessage = optional(z.object({ message_id: id, checklist: optional(checklist) }));
const taskIds = optional(z.array(z.number().int()));

/** Service messages about a person's action. */
const deeds = {
  checklist_tasks_done: optional(
    z.object({
      checklist_message: checklistMessage,
      marked_as_done_task_ids: taskIds,
      marked_as_not_done_task_ids: taskIds,
    }),
  ),
  checklist_tasks_added: optional(z.object({ checklist_message: checklistMessage, tasks: z.array(task) })),
  gift: optional(gift),
  gift_upgrade_sent: optional(gift),
  unique_gift: optional(
    gift.extend({ gift: z.object({ base_name: text, number: optional(z.number().int()) }).catch({}) }),
  ),
  users_shared: optional(
    z.object({ users: z.array(z.object({ first_name: text, last_name: text, username: text })) }),
  ),
  chat_shared: optional(z.object({ title: text })),
  web_app_data: optional(z.object({ button_text: z.string() })),
};

/** https://core.telegram.org/bots/api#message */
export const messageSchema = z.object({
  message_id: id,
  message_thread_id: optional(id),
  is_topic_message: optional(z.boolean()),
  from: optional(user),
  sender_chat: optional(chat),
  author_signature: text,
  is_automatic_forward: optional(z.boolean()),
  forward_origin: optional(origin),
  direct_messages_topic: optional(directTopic),
  external_reply: optional(externalReply),
  quote: optional(z.object({ text: z.string(), entities })),
  reply_to_story: optional(story),
  date,
  edit_date: optional(date),
  chat,
  reply_to_message: optional(z.object({ message_id: id })),
  text,
  entities,
  caption: text,
  caption_entities: entities,
  rich_message: optional(z.unknown()),
  ...described,
  ...deeds,
  photo: optional(z.array(file)),
  live_photo: optional(file.extend({ photo: optional(z.array(file)) })),
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

/** Far above Telegram's limit of 64 bytes. */
const MAX_DATA_LENGTH = 1_024;

const button = z.object({ text: z.string(), callback_data: text });

/** https://core.telegram.org/bots/api#callbackquery. Only the message names the chat, so it is required. */
export const callbackSchema = z.object({
  id: z.string().min(1).max(128),
  from: user,
  data: optional(z.string().max(MAX_DATA_LENGTH)),
  message: z.object({
    message_id: id,
    message_thread_id: optional(id),
    is_topic_message: optional(z.boolean()),
    direct_messages_topic: optional(directTopic),
    date,
    chat,
    reply_markup: optional(z.object({ inline_keyboard: z.array(z.array(button)) })),
  }),
});

const reaction = z.object({ type: z.string(), emoji: optional(z.string().min(1).max(64)) });

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
export type DescribedPayload = { readonly [K in keyof typeof described]?: z.infer<(typeof described)[K]> };
export type TaskPayload = z.infer<typeof task>;
export type PaidMediaPayload = z.infer<typeof paidMedia>;
export type OriginPayload = z.infer<typeof origin>;
export type StoryPayload = z.infer<typeof story>;
export type ExternalReplyPayload = z.infer<typeof externalReply>;
export type UserPayload = z.infer<typeof user>;
export type ChatPayload = z.infer<typeof chat>;
export type EntityPayload = z.infer<typeof entity>;
export type FilePayload = z.infer<typeof file>;
