/** The text range that requests suggestions. */
export interface Trigger {
  readonly kind: 'template' | 'member';
  /** The text after the trigger character. */
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

/** A longer text is not treated as a search. */
const TEMPLATE = /^\/([^\n]{0,40})$/;
const MEMBER = /(?:^|\s)@([^\s@]{0,40})$/;

/** A `/` at the beginning suggests templates. An `@` in a note suggests members. */
export function triggerAt(text: string, caret: number, isNote: boolean): Trigger | undefined {
  const before = text.slice(0, caret);
  const template = TEMPLATE.exec(before)?.[1];
  if (template !== undefined) return { kind: 'template', query: template, from: 0, to: caret };
  const member = isNote ? MEMBER.exec(before)?.[1] : undefined;
  if (member === undefined) return undefined;
  return { kind: 'member', query: member, from: caret - member.length - 1, to: caret };
}

/**
 * Replaces the trigger with a suggestion. Returns the new text and selection: the first variable to fill in, or the end of the
 * suggestion.
 */
export function withSuggestion(text: string, { from, to }: Trigger, insert: string) {
  const next = text.slice(0, from) + insert + text.slice(to);
  const variable = /\{\{[^{}]{1,64}\}\}/.exec(insert);
  const start = from + (variable?.index ?? insert.length);
  return { text: next, start, end: start + (variable?.[0].length ?? 0) };
}

/** Fills in known variables of the customer. The user fills in the others. */
export function withVariables(text: string, known: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\{\{([^{}]{1,64})\}\}/g, (all, key: string) => known[key.trim()] ?? all);
}
