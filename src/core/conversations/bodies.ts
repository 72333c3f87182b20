import { z } from 'zod';
import { clock } from '../../contract/clock.js';
import { firstMessageBody, recipientAddress } from '../messages/bodies.js';
import { conversationDigits, metadata, platformId, text, timestamp, uuid } from '../schema/scalars.js';
import { attributions, conversationTypes, linkDirections, participantRoles, priorities } from './record.js';
import { conversationStatuses } from './states.js';

/** Request bodies that create and change conversations. */

/** A conversation in a path: its id or its number. */
export const conversationKey = z.union([uuid, conversationDigits]);

const labels = z
  .array(text(1, 256))
  .max(50)
  .refine((all) => new Set(all).size === all.length, {
    error: 'names a label twice',
    params: { code: 'duplicate' },
  });

export const createLinkBody = z.object({
  connection_id: uuid,
  external_id: text(1, 256),
  external_thread_id: text(1, 256).nullish(),
  title: text(1, 256).nullish(),
  direction: z.enum(linkDirections).default('two_way'),
  attribution: z.enum(attributions).default('prefix'),
});
export type CreateLinkBody = z.output<typeof createLinkBody>;

export const addParticipantBody = z.object({
  user_id: uuid,
  role: z.enum(participantRoles).optional(),
});
export type AddParticipantBody = z.output<typeof addParticipantBody>;

export const typingBody = z.object({ state: z.enum(['started', 'stopped']) });

/** The body of POST conversations. */
export const createConversationBody = z
  .object({
    type: z.enum(conversationTypes).optional(),
    title: text(0, 256).nullish(),
    team: text(0, 256).nullish(),
    platform: platformId.nullish(),
    labels: labels.default([]),
    priority: z.enum(priorities).default('none'),
    participant_ids: z.array(uuid).max(249).optional(),
    recipient: recipientAddress.optional(),
    links: z.array(createLinkBody).max(20).optional(),
    message: firstMessageBody.optional(),
    metadata: metadata.default({}),
  })
  .superRefine((body, context) => {
    const problem = (field: string, code: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, params: { code } });
    if (!body.participant_ids && !body.recipient && !body.links) {
      problem('participant_ids', 'required', 'participant_ids, recipient or links is required');
    }
    if (body.recipient && (body.participant_ids || body.links)) {
      problem('recipient', 'exclusive', 'opens a direct chat, so it must be the only link');
    }
    const twice = repeatedLink(body.links ?? []);
    if (twice !== -1) {
      context.addIssue({
        code: 'custom',
        path: ['links', twice],
        message: 'repeats the chat of an earlier link',
        params: { code: 'duplicate' },
      });
    }
    if (body.recipient && body.type !== undefined && body.type !== 'direct') {
      problem('type', 'invalid_value', 'a conversation with a recipient is direct');
    }
  });
export type CreateConversationBody = z.output<typeof createConversationBody>;

/** The index of the first link that repeats the chat of an earlier link, or -1. */
function repeatedLink(links: readonly CreateLinkBody[]): number {
  const chats = links.map((link) =>
    JSON.stringify([link.connection_id, link.external_id, link.external_thread_id ?? null]),
  );
  return chats.findIndex((chat, index) => chats.indexOf(chat) !== index);
}

/** The body of PATCH conversations. */
export const changeConversationBody = z
  .object({
    title: text(0, 256).nullish(),
    team: text(0, 256).nullish(),
    status: z.enum(conversationStatuses).optional(),
    assignee_id: uuid.nullish(),
    snoozed_until: timestamp.nullish(),
    labels: labels.optional(),
    priority: z.enum(priorities).optional(),
    metadata: metadata.optional(),
  })
  .superRefine((body, context) => {
    const problem = (code: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['snoozed_until'], message, params: { code } });
    if (body.status === 'snoozed' && body.snoozed_until == null) {
      problem('required', 'is required with status snoozed');
    }
    if (body.status !== undefined && body.status !== 'snoozed' && body.snoozed_until != null) {
      problem('invalid_value', 'needs status snoozed');
    }
    if (body.snoozed_until == null) return;
    if (Date.parse(body.snoozed_until) <= clock.now()) problem('too_small', 'must be in the future');
  });
export type ChangeConversationBody = z.output<typeof changeConversationBody>;
