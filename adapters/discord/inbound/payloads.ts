import { z } from 'zod';

/**
 * The fields of Discord's payloads that the bridge reads (https://docs.discord.com/developers/resources/message). A
 * field is optional wherever Discord may omit it.
 */
export const id = z.string().regex(/^\d{1,20}$/);
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(undefined);

export const user = z.object({
  id,
  username: z.string(),
  global_name: optional(z.string()),
  avatar: optional(z.string()),
  bot: optional(z.boolean()),
});
const member = z.object({ nick: optional(z.string()) });
const attachment = z.object({
  id,
  filename: optional(z.string()),
  title: optional(z.string()),
  url: optional(z.string()),
  content_type: optional(z.string()),
  size: optional(z.number()),
  description: optional(z.string()),
  duration_secs: optional(z.number().nonnegative()),
});
const media = z.object({
  text: optional(z.string()),
  emoji: optional(z.object({ id: optional(z.string()), name: optional(z.string()) })),
});
const poll = z.object({
  question: media,
  answers: z
    .array(z.object({ poll_media: media }))
    .max(10)
    .catch([]),
});
const picture = z.object({ url: z.string(), proxy_url: optional(z.string()) });
const embed = z.object({
  type: optional(z.string()),
  title: optional(z.string()),
  description: optional(z.string()),
  url: optional(z.string()),
  author: optional(z.object({ name: optional(z.string()) })),
  footer: optional(z.object({ text: optional(z.string()) })),
  fields: optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  image: optional(picture),
  thumbnail: optional(picture),
});
const person = user.extend({ member: optional(member) });
/** The content fields of a message. A forwarded message contains a copy of the original's fields. */
const contentFields = {
  content: optional(z.string()),
  attachments: optional(z.array(attachment)),
  embeds: optional(z.array(embed)),
  sticker_items: optional(z.array(z.object({ id, name: z.string(), format_type: optional(z.number()) }))),
  components: optional(z.array(z.unknown())),
  mentions: optional(z.array(person)),
  poll: optional(poll),
};

const base = {
  id,
  channel_id: id,
  guild_id: optional(id),
  type: z.number().catch(-1),
  ...contentFields,
  author: user,
  member: optional(member),
  webhook_id: optional(id),
  application_id: optional(id),
  timestamp: optional(z.string()),
  edited_timestamp: optional(z.string()),
  flags: optional(z.number().int()),
  pinned: optional(z.boolean()),
  message_reference: optional(
    z.object({ type: optional(z.number()), message_id: optional(id), channel_id: optional(id) }),
  ),
  message_snapshots: optional(z.array(z.object({ message: z.object(contentFields) }))),
};

export const messageSchema = z.object(base);
export const deletedSchema = z.object({ id, channel_id: id, guild_id: optional(id) });
export const bulkDeletedSchema = z.object({ ids: z.array(id), channel_id: id, guild_id: optional(id) });
const emoji = z.object({ id: optional(id), name: optional(z.string().min(1).max(100)) });
export const reactionSchema = z.object({
  user_id: id,
  channel_id: id,
  message_id: id,
  guild_id: optional(id),
  member: optional(member.extend({ user: optional(user) })),
  emoji,
});
export const clearedSchema = z.object({
  channel_id: id,
  message_id: id,
  guild_id: optional(id),
  emoji: emoji.optional(),
});
export const typingSchema = z.object({
  channel_id: id,
  guild_id: optional(id),
  user_id: id,
  /** Seconds that a Date can hold. */
  timestamp: optional(z.number().int().min(0).max(8_640_000_000_000)),
  member: optional(member.extend({ user: optional(user) })),
});
export const channelSchema = z.object({ id, guild_id: optional(id), name: optional(z.string()) });
export const serverMemberSchema = z.object({ guild_id: id, user, nick: optional(z.string()) });
export const serverSchema = z.object({ id });
export const gapSchema = z.object({ since: z.iso.datetime({ offset: true }), reason: z.string() });
export const dispatchSchema = z.object({
  t: z.string(),
  s: optional(z.number().int().min(0)),
  d: z.unknown().optional(),
});

export type DiscordMessage = z.infer<typeof messageSchema>;
export type DiscordMessageContent = Pick<DiscordMessage, keyof typeof contentFields>;
export type DiscordEmbed = z.infer<typeof embed>;
export type DiscordPoll = z.infer<typeof poll>;
export type DiscordUser = z.infer<typeof user>;
export type DiscordAttachment = z.infer<typeof attachment>;
