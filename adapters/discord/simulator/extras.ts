import type { APIEmbed, APIMessage, RESTPostAPIChannelMessageJSONBody } from 'discord-api-types/v10';

const POLL_HOURS = 24;

/** Content of a message besides its text and files. */
export interface Extras {
  readonly embeds?: readonly APIEmbed[] | null | undefined;
  readonly components?: RESTPostAPIChannelMessageJSONBody['components'] | null | undefined;
  readonly poll?: RESTPostAPIChannelMessageJSONBody['poll'] | null | undefined;
  readonly flags?: number | undefined;
}

/** Whether the message has visible content besides its text. */
export const isVisible = ({ embeds, components, poll }: Extras): boolean =>
  (embeds?.length ?? 0) > 0 || (components?.length ?? 0) > 0 || Boolean(poll);

/** The extras as message fields, without absent ones. */
export function extrasOf({ embeds, components, poll, flags }: Extras): Partial<APIMessage> {
  const fields = {
    ...(embeds ? { embeds: embeds.map((embed) => ({ type: 'rich', ...embed })) } : {}),
    ...(components ? { components } : {}),
    ...(poll ? { poll: pollOf(poll) } : {}),
    ...(flags === undefined ? {} : { flags }),
  };
  return fields as unknown as Partial<APIMessage>;
}

/** The read format of a poll (https://docs.discord.com/developers/resources/poll). */
function pollOf({
  question,
  answers,
  allow_multiselect,
  layout_type,
  duration,
}: NonNullable<Extras['poll']>) {
  const expiry = new Date(Date.now() + (duration ?? POLL_HOURS) * 3_600_000).toISOString();
  return {
    question,
    answers: answers.map(({ poll_media }, place) => ({ answer_id: place + 1, poll_media })),
    expiry: expiry.replace('Z', '000+00:00'),
    allow_multiselect: allow_multiselect ?? false,
    layout_type: layout_type ?? 1,
  };
}

/** The fields of a reply. */
export function replyTo(message: APIMessage): Pick<APIMessage, 'message_reference' | 'referenced_message'> {
  const { nonce: _, referenced_message: __, ...original } = message;
  const type = 0 as NonNullable<NonNullable<APIMessage['message_reference']>['type']>;
  return {
    message_reference: { type, message_id: message.id, channel_id: message.channel_id },
    referenced_message: original as APIMessage,
  };
}
