/** The place in a text where the person asks for suggestions. */
export interface Trigger {
  readonly kind: 'template' | 'member';
  /** What was written after the sign. */
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

/** Longer ones are no longer a search. */
const TEMPLATE = /^\/([^\n]{0,40})$/;
const MEMBER = /(?:^|\s)@([^\s@]{0,40})$/;

/** A `/` at the beginning asks for a template, an `@` in a note for a member. */
export function triggerAt(text: string, caret: number, isNote: boolean): Trigger | undefined {
  const before = text.slice(0, caret);
  const template = TEMPLATE.exec(before)?.[1];
  if (template !== undefined) return { kind: 'template', query: template, from: 0, to: caret };
  const member = isNote ? MEMBER.exec(before)?.[1] : undefined;
  if (member === undefined) return undefined;
  return { kind: 'member', query: member, from: caret - member.length - 1, to: caret };
}

/** The text with a suggestion in the place of what asked for it, and what to select then: a variable to fill in, or the end. */
export function withSuggestion(text: string, { from, to }: Trigger, insert: string) {
  const next = text.slice(0, from) + insert + text.slice(to);
  const variable = /\{\{[^{}]{1,64}\}\}/.exec(insert);
  const start = from + (variable?.index ?? insert.length);
  return { text: next, start, end: start + (variable?.[0].length ?? 0) };
}

/** Fills in what is known of the customer. Other variables stay for the person to write. */
export function withVariables(text: string, known: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\{\{([^{}]{1,64})\}\}/g, (all, key: string) => known[key.trim()] ?? all);
}
