import { z } from 'zod';
import type { AdapterDefinition } from '../../contract/index.js';
import { settingsSchema } from './configuration.js';
import { protocolOf } from './describe.js';
import { capabilitiesRecord, protocolRecord } from './record.js';

export const PLATFORM_ID = /^[a-z][a-z0-9_-]{1,31}$/;
/** A path of the API. */
export const reservedPlatform = 'connections';

/** Events wait for their message for at most a week. */
const MAX_REDELIVERY_SECONDS = 604_800;

const objectSchema = z.custom<z.ZodObject>((value) => value instanceof z.ZodObject, {
  error: 'must be an object schema of zod 4',
});
const shortText = z.string().min(1).max(64);

/** The shape of every definition. It is checked here, because types are not checked when a package is loaded. */
const definitionShape = z.object({
  platform: z
    .string()
    .regex(PLATFORM_ID, { error: 'must be of the form [a-z][a-z0-9_-]{1,31}' })
    .refine((value) => value !== reservedPlatform, { error: 'must not be a word of the interface' }),
  displayName: shortText,
  version: shortText,
  ingress: z.array(z.enum(['webhook', 'poll', 'gateway'])).min(1),
  defaultApiBaseUrl: z
    .string()
    .max(2048)
    .refine((value) => URL.canParse(value), { error: 'must be an absolute URL' }),
  credentials: objectSchema,
  settings: objectSchema,
  lookup: z.boolean(),
  capabilities: capabilitiesRecord.omit({ v: true, hash: true }),
  rate: protocolRecord.shape.rate.extend({ burst: z.number().min(0).optional() }),
  redeliveryS: z.number().int().min(0).max(MAX_REDELIVERY_SECONDS).optional(),
  billing: z.object({ unit: shortText, count: z.function() }).optional(),
  addressForm: z
    .string()
    .max(512)
    .refine(isRegularExpression, { error: 'must be a regular expression' })
    .optional(),
  addresses: z
    .object({
      description: z.string().min(1).max(256),
      normalize: z.function().optional(),
      arePhoneNumbers: z.boolean().optional(),
      areChatIds: z.boolean().optional(),
    })
    .optional(),
  validate: z.function().optional(),
  create: z.function(),
});

/** The reason why a definition can't be used, in a few words. Undefined if it can. */
export function definitionProblem(definition: AdapterDefinition): string | undefined {
  const parsed = definitionShape.safeParse(definition);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `Its definition is wrong at ${issue?.path.join('.')}: ${issue?.message}.`;
  }
  try {
    protocolOf(definition);
    const address = settingsSchema(definition).safeParse({ api_base_url: definition.defaultApiBaseUrl });
    const wrong = address.error?.issues.find(({ path }) => path[0] === 'api_base_url');
    return wrong === undefined
      ? undefined
      : `Its definition is wrong at defaultApiBaseUrl: ${wrong.message}.`;
  } catch (error) {
    return `Its configuration can't be described: ${error instanceof Error ? error.message : 'it failed'}.`;
  }
}

function isRegularExpression(value: string): boolean {
  try {
    // regexp: it is compiled and not run.
    new RegExp(value);
    return true;
  } catch {
    return false;
  }
}
