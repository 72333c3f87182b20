import { z } from 'zod';

/** Schemas of Chatwoot's responses. They contain only fields that are used. Other fields are ignored. */

const id = z
  .int()
  .positive()
  .max(2 ** 48 - 1);
const text = z.string().nullish().catch(undefined);
/** Unix time in seconds. */
const time = z.number().min(0).max(253_402_300_799).nullish().catch(undefined);
const attributes = z.record(z.string(), z.unknown()).nullish().catch(undefined);

const inbox = z.object({ id, name: z.string().catch(''), channel_type: z.string().catch('') });
export type Inbox = z.output<typeof inbox>;

export const contactAnswer = z.object({
  id,
  name: text,
  email: text,
  phone_number: text,
  identifier: text,
  custom_attributes: attributes,
  created_at: time,
  contact_inboxes: z
    .array(z.object({ source_id: text, inbox: z.object({ id }).nullish().catch(undefined) }))
    .nullish()
    .catch(undefined),
});
export type ContactAnswer = z.output<typeof contactAnswer>;

export const conversationAnswer = z.object({
  id,
  inbox_id: id,
  status: text,
  created_at: time,
  last_activity_at: time,
  snoozed_until: z.union([z.string(), z.number()]).nullish().catch(undefined),
  labels: z.array(z.string()).nullish().catch(undefined),
  priority: text,
  custom_attributes: attributes,
  additional_attributes: attributes,
  meta: z.object({
    sender: contactAnswer,
    assignee: z.object({ email: text }).nullish().catch(undefined),
    team: z.object({ name: text }).nullish().catch(undefined),
  }),
});
export type ConversationAnswer = z.output<typeof conversationAnswer>;

const attachment = z.object({
  id: z.number().nullish().catch(undefined),
  file_type: text,
  data_url: text,
  fallback_title: text,
  coordinates_lat: z.number().nullish().catch(undefined),
  coordinates_long: z.number().nullish().catch(undefined),
});
export type AttachmentAnswer = z.output<typeof attachment>;

export const messageAnswer = z.object({
  id,
  content: text,
  message_type: z.int(),
  private: z.boolean().nullish().catch(undefined),
  status: text,
  created_at: z.number().min(0).max(253_402_300_799),
  content_attributes: attributes,
  sender: z.object({ id, type: text, name: text }).nullish().catch(undefined),
  attachments: z.array(attachment).nullish().catch(undefined),
});
export type MessageAnswer = z.output<typeof messageAnswer>;

const payload = z.object({ payload: z.array(z.unknown()) });
const data = z.object({ data: payload });

export function payloadOf(answer: unknown): readonly unknown[] {
  return payload.safeParse(answer).data?.payload ?? [];
}

export function dataPayloadOf(answer: unknown): readonly unknown[] {
  return data.safeParse(answer).data?.data.payload ?? [];
}

export function inboxesOf(answer: unknown): Inbox[] {
  return payloadOf(answer).flatMap((each) => inbox.safeParse(each).data ?? []);
}

/** The contact in a response of `GET contacts/{id}`. */
export function contactOf(answer: unknown): ContactAnswer | undefined {
  return z.object({ payload: contactAnswer }).safeParse(answer).data?.payload;
}

/** E-mail addresses of agents by id. */
export function agentsOf(answer: unknown): ReadonlyMap<number, string> {
  const agent = z.object({ id, email: z.string() });
  const list = Array.isArray(answer) ? answer : [];
  return new Map(
    list.flatMap((each) => {
      const found = agent.safeParse(each).data;
      return found === undefined ? [] : [[found.id, found.email.toLowerCase()] as const];
    }),
  );
}

/** The id of a record that could not be parsed, for the report. */
export function numberOf(value: unknown): number | null {
  return z.object({ id }).safeParse(value).data?.id ?? null;
}
