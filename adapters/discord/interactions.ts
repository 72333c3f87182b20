import { z } from 'zod';
import { id, optional, user } from './payloads.js';

const MOST_OPTIONS = 25;

/** What was chosen in a command. Groups and subcommands hold options of their own. */
interface Option {
  readonly name: string;
  readonly value?: string | number | boolean | undefined;
  readonly options?: readonly Option[] | undefined;
}
const option: z.ZodType<Option> = z.lazy(() =>
  z.object({
    name: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    options: z.array(option).max(MOST_OPTIONS).optional(),
  }),
);

interface Component {
  readonly custom_id?: string | undefined;
  readonly label?: string | undefined;
  readonly emoji?: { readonly name?: string | null | undefined } | undefined;
  readonly value?: string | undefined;
  readonly options?: readonly { readonly label: string; readonly value: string }[] | undefined;
  readonly components?: readonly Component[] | undefined;
  readonly component?: Component | undefined;
}
const component: z.ZodType<Component> = z.lazy(() =>
  z.object({
    custom_id: z.string().optional().catch(undefined),
    label: z.string().optional().catch(undefined),
    emoji: z
      .object({ name: optional(z.string()) })
      .optional()
      .catch(undefined),
    value: z.string().optional().catch(undefined),
    options: z
      .array(z.object({ label: z.string(), value: z.string() }))
      .optional()
      .catch(undefined),
    components: z.array(component).optional().catch(undefined),
    component: component.optional().catch(undefined),
  }),
);

export const interactionSchema = z.object({
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
    }),
  ),
});
export type Interaction = z.infer<typeof interactionSchema>;

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-type */
const kind = { command: 2, component: 3, modal: 5 } as const;
const SLASH = 1;

/** What a person said by a command, a button, a choice or a form; undefined for what says nothing. */
export function interactionText({ type, data, message }: Interaction): string | undefined {
  if (data === undefined || data === null) return undefined;
  if (type === kind.command) {
    const name = data.name ?? '';
    return (data.type ?? SLASH) === SLASH ? ['/', name, ...words(data.options ?? [])].join('').trim() : name;
  }
  if (type === kind.component) {
    const pressed = within(message?.components ?? []).find(({ custom_id }) => custom_id === data.custom_id);
    if (data.values) return data.values.map((value) => labelOf(pressed, value)).join(', ');
    return pressed?.label || pressed?.emoji?.name || data.custom_id || undefined;
  }
  if (type !== kind.modal) return undefined;
  const said = within(data.components ?? []).flatMap(({ value }) => (value ? value : []));
  return said.join('\n') || data.custom_id || undefined;
}

function words(options: readonly Option[]): string[] {
  return options.flatMap(({ name, value, options: inner }) =>
    value === undefined ? [` ${name}`, ...words(inner ?? [])] : [` ${name}: ${value}`],
  );
}

const labelOf = (pressed: Component | undefined, value: string): string =>
  pressed?.options?.find((each) => each.value === value)?.label ?? value;

function within(components: readonly Component[], depth = 0): Component[] {
  if (depth > 4) return [];
  return components.flatMap((each) => [
    each,
    ...within([...(each.components ?? []), ...(each.component ? [each.component] : [])], depth + 1),
  ]);
}
