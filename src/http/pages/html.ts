/** Text that is already HTML. */
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

/** HTML with escaped values. Values that are HTML are not escaped. Values of attributes must be in quotes. */
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

/** Replaces placeholders in braces by their values. */
export function filled(text: string, values: Readonly<Record<string, Html>>): Html {
  const pieces = text.split(/\{(\w+)\}/);
  return pieces.reduce(
    (before, piece, index) =>
      index % 2 === 0 ? html`${before}${piece}` : html`${before}${values[piece] ?? html``}`,
    html``,
  );
}
