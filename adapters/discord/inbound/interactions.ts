import { z } from 'zod';
import { type JsonValue, withinLevels } from '../../../src/contract/index.js';
import { fileName } from './message-content.js';
import { id, optional, user } from './payloads.js';
import { nameOf as personName } from './people.js';

const table = <T extends z.ZodType>(schema: T) => optional(z.record(z.string(), schema));

const MAX_OPTIONS = 25;

/** The options of a command. Groups and subcommands contain options of their own. */
interface Option {
  readonly name: string;
  readonly type?: number | undefined;
  readonly value?: string | number | boolean | undefined;
  readonly options?: readonly Option[] | undefined;
}
const option: z.ZodType<Option> = z.lazy(() =>
  z.object({
    name: z.string(),
    type: z.number().optional().catch(undefined),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    options: z.array(option).max(MAX_OPTIONS).optional(),
  }),
);

interface Component {
  readonly custom_id?: string | undefined;
  readonly label?: string | undefined;
  readonly emoji?: { readonly name?: string | null | undefined } | undefined;
  readonly type?: number | undefined;
  readonly value?: string | boolean | undefined;
  readonly values?: readonly string[] | undefined;
  readonly options?: readonly { readonly label: string; readonly value: string }[] | undefined;
  readonly components?: readonly Component[] | undefined;
  readonly component?: Component | undefined;
  /** The button next to the text of a section. */
  readonly accessory?: Component | undefined;
}
const component: z.ZodType<Component> = z.lazy(() =>
  z.object({
    custom_id: z.string().optional().catch(undefined),
    label: z.string().optional().catch(undefined),
    emoji: z
      .object({ name: optional(z.string()) })
      .optional()
      .catch(undefined),
    type: z.number().optional().catch(undefined),
    value: z.union([z.string(), z.boolean()]).optional().catch(undefined),
    values: z.array(z.string()).optional().catch(undefined),
    options: z
      .array(z.object({ label: z.string(), value: z.string() }))
      .optional()
      .catch(undefined),
    components: z.array(component).optional().catch(undefined),
    component: component.optional().catch(undefined),
    accessory: component.optional().catch(undefined),
  }),
);

const named = z.object({ name: z.string() });
/**
 * Names of the selected ids
 * (https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-resolved-data-structure).
 */
const resolvedSchema = z.object({
  users: table(user),
  members: table(z.object({ nick: optional(z.string()) })),
  roles: table(named),
  channels: table(named),
  attachments: table(z.object({ filename: optional(z.string()), title: optional(z.string()) })),
});
type Resolved = z.infer<typeof resolvedSchema>;

const wholeSchema = z.object({
  id,
  type: z.number(),
  channel_id: id,
  guild_id: optional(id),
  user: optional(user),
  member: optional(z.object({ nick: optional(z.string()), user })),
  message: optional(z.object({ id, components: optional(z.array(component)) })),
  data: optional(
    z.object({
      name: optional(z.string()),
      type: optional(z.number()),
      options: optional(z.array(option)),
      custom_id: optional(z.string()),
      values: optional(z.array(z.string())),
      components: optional(z.array(component)),
      resolved: optional(resolvedSchema),
    }),
  ),
});
export type Interaction = z.infer<typeof wholeSchema>;

/** Levels of nesting that are read. Discord sends at most ten. */
const MAX_DEPTH = 40;

export const interactionSchema = z.preprocess(
  (value) => withinLevels(value as JsonValue, MAX_DEPTH),
  wholeSchema,
);

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-type */
const kind = { command: 2, component: 3, modal: 5 } as const;
const SLASH = 1;

/** Types of command options and menus whose values are ids: people, roles, both, channels, files. */
const ofIds = { options: new Set([6, 7, 8, 9, 11]), menus: new Set([5, 6, 7, 8, 19]) };

/** The text of a command, button press, selection or form. Undefined if it has no text. */
export function interactionText({ type, data, message }: Interaction): string | undefined {
  if (data === undefined || data === null) return undefined;
  const nameOf = (id: string) => resolvedName(id, data.resolved ?? undefined);
  if (type === kind.command) {
    const name = data.name ?? '';
    if ((data.type ?? SLASH) !== SLASH) return name;
    return ['/', name, ...words(data.options ?? [], nameOf)].join('').trim();
  }
  if (type === kind.component) {
    const pressed = within(message?.components ?? []).find(({ custom_id }) => custom_id === data.custom_id);
    if (data.values) return chosen(data.values.map((value) => labelOf(pressed, value, nameOf)));
    return pressed?.label || pressed?.emoji?.name || data.custom_id || undefined;
  }
  if (type !== kind.modal) return undefined;
  const said = within(data.components ?? []).flatMap((each) => answerIn(each, nameOf));
  return said.join('\n') || data.custom_id || undefined;
}

/** A menu whose last selection was removed has no values. */
const chosen = (labels: readonly string[]): string => labels.join(', ') || '[nothing chosen]';

type NameOf = (id: string) => string;

/** The value of one form field. A submitted form has no labels, so a checked box is named by its id. */
function answerIn({ type, value, values, custom_id }: Component, nameOf: NameOf): string[] {
  if (value === true) return [custom_id ?? 'yes'];
  if (typeof value === 'string' && value !== '') return [value];
  const chosen = (values ?? []).map((each) => (isOfIds(type, ofIds.menus) ? nameOf(each) : each));
  return chosen.length === 0 ? [] : [chosen.join(', ')];
}

/** Without a type the value may be an id. */
const isOfIds = (type: number | undefined, types: ReadonlySet<number>): boolean =>
  type === undefined || types.has(type);

function resolvedName(id: string, resolved: Resolved | undefined): string {
  const who = resolved?.users?.[id];
  if (who !== undefined) return personName(who, resolved?.members?.[id]?.nick);
  const file = resolved?.attachments?.[id];
  const role = resolved?.roles?.[id]?.name;
  const channel = resolved?.channels?.[id]?.name;
  return role ?? (channel && `#${channel}`) ?? (file && fileName(file)) ?? id;
}

function words(options: readonly Option[], nameOf: NameOf): string[] {
  return options.flatMap(({ name, type, value, options: inner }) => {
    if (value === undefined) return [` ${name}`, ...words(inner ?? [], nameOf)];
    return [` ${name}: ${isOfIds(type, ofIds.options) ? nameOf(String(value)) : value}`];
  });
}

function labelOf(pressed: Component | undefined, value: string, nameOf: NameOf): string {
  const label = pressed?.options?.find((each) => each.value === value)?.label;
  return label ?? (isOfIds(pressed?.type, ofIds.menus) ? nameOf(value) : value);
}

function within(components: readonly Component[], depth = 0): Component[] {
  if (depth > 6) return [];
  return components.flatMap((each) => [
    each,
    ...within(
      [
        ...(each.components ?? []),
        ...(each.component ? [each.component] : []),
        ...(each.accessory ? [each.accessory] : []),
      ],
      depth + 1,
    ),
  ]);
}
