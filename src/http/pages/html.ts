/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Value = string | Html | readonly Html[];

/** HTML with its values escaped, except those that are HTML themselves. Attribute values stand in quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(shown)));
}

function shown(value: Value): string {
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Html ? value.text : value.map(shown).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A text with values in place of their names in braces. */
export function filled(text: string, values: Readonly<Record<string, Html>>): Html {
  const pieces = text.split(/\{(\w+)\}/);
  return pieces.reduce(
    (before, piece, index) =>
      index % 2 === 0 ? html`${before}${piece}` : html`${before}${values[piece] ?? html``}`,
    html``,
  );
}
