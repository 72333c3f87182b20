/** Parses the text of a `filter` parameter into clauses, without knowledge of fields and their types. */

export interface RawValue {
  readonly operator: '' | '>' | '>=' | '<' | '<=' | '~';
  readonly text: string;
  /** Whether the value was quoted: `"null"` is the word. */
  readonly quoted: boolean;
}

export interface RawClause {
  readonly negated: boolean;
  readonly field: string;
  readonly values: readonly RawValue[];
}

/** A syntax error in a filter. The message is for the author of the filter. */
export class FilterSyntaxError extends Error {}

const OPERATORS = ['>=', '<=', '>', '<', '~'] as const;
const METADATA_FIELD = /^metadata\.[A-Za-z0-9_.-]{1,40}$/;
/** A dot precedes the field of an element, as in `identities.address`. */
const NAME = /^(?!metadata\.)[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?$/;

export function parseFilter(text: string): RawClause[] {
  return new FilterReader(text).clauses();
}

class FilterReader {
  private at = 0;

  constructor(private readonly text: string) {}

  clauses(): RawClause[] {
    const clauses = [this.clause()];
    while (this.skip(',')) clauses.push(this.clause());
    if (this.at < this.text.length) throw this.unexpected();
    return clauses;
  }

  private clause(): RawClause {
    const negated = this.skip('-');
    const field = this.field();
    const values = [this.value()];
    while (this.skip('|')) values.push(this.value());
    return { negated, field, values };
  }

  private field(): string {
    const colon = this.text.indexOf(':', this.at);
    if (colon === -1) {
      throw new FilterSyntaxError(`Expected field:value, found "${this.text.slice(this.at)}".`);
    }
    const field = this.text.slice(this.at, colon);
    if (!NAME.test(field) && !METADATA_FIELD.test(field)) {
      throw new FilterSyntaxError(`Expected a field name before ":", found "${field}".`);
    }
    this.at = colon + 1;
    return field;
  }

  private value(): RawValue {
    const operator = OPERATORS.find((sign) => this.skip(sign)) ?? '';
    return this.skip('"')
      ? { operator, text: this.quoted(), quoted: true }
      : { operator, text: this.bare(), quoted: false };
  }

  private bare(): string {
    const start = this.at;
    while (this.at < this.text.length && !',|"'.includes(this.text[this.at] ?? '')) this.at += 1;
    if (this.at === start) throw new FilterSyntaxError(`Expected a value at character ${start + 1}.`);
    return this.text.slice(start, this.at);
  }

  private quoted(): string {
    let value = '';
    while (!this.skip('"')) {
      if (this.skip('\\') && !'"\\'.includes(this.text[this.at] ?? 'missing')) {
        throw new FilterSyntaxError('Within quotes "\\" escapes only a quote or itself.');
      }
      const character = this.text[this.at];
      if (character === undefined) throw new FilterSyntaxError('A quote is not closed.');
      value += character;
      this.at += 1;
    }
    return value;
  }

  private skip(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private unexpected(): FilterSyntaxError {
    return new FilterSyntaxError(
      `Unexpected ${this.text[this.at]} at character ${this.at + 1}; quote the value.`,
    );
  }
}
