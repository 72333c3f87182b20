import { z } from 'zod';
import { wireId, wireTime } from '../schema/scalars.js';
import { simulatorAbilities } from './ports.js';

/** A simulated platform, as the dashboard shows it. */
export const simulatorRecord = z
  .object({
    platform: z.string(),
    name: z.string(),
    connection_id: wireId,
    status: z.string().meta({ description: 'Of the connection.' }),
    abilities: z.array(z.enum([...simulatorAbilities, 'reply', 'file'])).meta({
      description: 'What people on this platform can do in addition to writing.',
    }),
    chats: z.array(z.object({ id: z.string(), title: z.string(), kind: z.enum(['direct', 'group']) })),
  })
  .meta({ id: 'Simulator' });
export type SimulatorRecord = z.infer<typeof simulatorRecord>;

const placeRecord = z.object({ latitude: z.number(), longitude: z.number() });

/** A message as a person on the platform sees it. */
const phoneMessageRecord = z
  .object({
    id: z.string(),
    sender: z.string(),
    own: z.boolean().meta({ description: 'Written by the connected account.' }),
    text: z.string(),
    reply_to_id: z.string().nullable(),
    edited: z.boolean(),
    deleted: z.boolean(),
    files: z.array(z.object({ name: z.string(), mime_type: z.string(), size: z.int() })),
    reactions: z.array(z.string()),
    buttons: z.array(z.string()),
    location: placeRecord.nullable(),
    receipt: z.enum(['accepted', 'sent', 'delivered', 'failed']).nullable(),
    sent_at: wireTime.nullable(),
  })
  .meta({ id: 'PhoneMessage' });
export type PhoneMessageRecord = z.infer<typeof phoneMessageRecord>;

/** The newest messages of a chat. */
export const phoneScreenRecord = z
  .object({ messages: z.array(phoneMessageRecord), typing: z.boolean() })
  .meta({ id: 'PhoneScreen' });
export type PhoneScreenRecord = z.infer<typeof phoneScreenRecord>;

export const phoneFileRecord = z
  .object({ name: z.string(), mime_type: z.string(), content: z.string().meta({ description: 'Base64.' }) })
  .meta({ id: 'PhoneFile' });
export type PhoneFileRecord = z.infer<typeof phoneFileRecord>;

export const platformCallsRecord = z
  .object({
    faults: z.array(z.object({ kind: z.string(), times: z.int() })),
    calls: z.array(
      z.object({
        number: z.int(),
        call: z.string(),
        chat_id: z.string().nullable(),
        request: z.string(),
        status: z.int().meta({ description: '0: without an answer.' }),
        committed: z.boolean(),
        fault: z.string().nullable(),
        at: wireTime,
      }),
    ),
  })
  .meta({ id: 'PlatformCalls' });
export type PlatformCallsRecord = z.infer<typeof platformCallsRecord>;
