import type { FieldProblem } from '../common/errors.js';
import { unknownField } from '../schema/nearest-field.js';
import { type Dialect, isWireRecord, type WireRecord } from './dialect.js';
import { textBlocks } from './text-blocks.js';

/** Version 2.0 groups the body of a message in `content` and its delivery state in `delivery`. */
export const messageDialect: Dialect = {
  names: { text: 'content.text', content_type: 'content.format', attachments: 'content.attachments' },
  readOnly: ['delivery'],

  present(record) {
    const {
      text,
      content_type,
      attachments,
      status,
      error,
      sent_at,
      delivered_at,
      failed_at,
      deliveries,
      ...rest
    } = withoutAliases(record);
    const blocks = textBlocks(String(text), String(content_type));
    return {
      ...rest,
      ...(isWireRecord(rest.previous) && { previous: formerly(rest.previous) }),
      content: { text, format: content_type, blocks, attachments },
      delivery: { status, error, sent_at, delivered_at, failed_at, attempts: deliveries },
    };
  },

  accept(body, problems) {
    for (const name of ['text', 'content_type', 'attachments', ...ALIASES]) {
      if (Object.hasOwn(body, name) && name !== 'content') problems.push(unknown(name));
    }
    const { content, ...rest } = body;
    if (content === undefined) return rest;
    if (!isWireRecord(content)) {
      problems.push({ field: 'content', code: 'invalid_type', message: 'Expected an object.' });
      return rest;
    }
    return { ...rest, ...contentFields(content, problems) };
  },

  describe(schema, direction) {
    const {
      text,
      content_type,
      attachments,
      status,
      error,
      sent_at,
      delivered_at,
      failed_at,
      deliveries,
      ...rest
    } = (schema.properties ?? {}) as WireRecord;
    const content = { text, format: content_type, attachments };
    const required = ((schema.required ?? []) as string[]).filter((name) => name in rest);
    if (direction === 'request') {
      const own = Object.entries(rest).filter(([name]) => !ALIASES.includes(name));
      const whole = { type: 'object', properties: content, additionalProperties: false };
      return { ...schema, properties: { ...Object.fromEntries(own), content: whole }, required };
    }
    const blocks = { type: 'array', items: BLOCK };
    const delivery = { status, error, sent_at, delivered_at, failed_at, attempts: deliveries };
    const properties = {
      ...rest,
      content: closed({ ...content, blocks }),
      delivery: closed(delivery),
      conversation: expanded('Conversation'),
      sender: expanded('User'),
    };
    return { ...schema, properties, required: [...required, 'content', 'delivery'] };
  },
};

/** The schema of a record that `expand` adds to the message. */
export function expanded(name: string): WireRecord {
  return { type: ['object', 'null'], description: `The ${name}, only where \`expand\` asks for it.` };
}

/** The previous values of changed fields, at their 2.0 paths. */
function formerly(previous: WireRecord): WireRecord {
  const content: Record<string, unknown> = {};
  const delivery: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(previous)) {
    if (Object.hasOwn(IN_CONTENT, name)) content[IN_CONTENT[name] ?? name] = value;
    else if (Object.hasOwn(IN_DELIVERY, name)) delivery[IN_DELIVERY[name] ?? name] = value;
    else rest[name] = value;
  }
  return {
    ...rest,
    ...(Object.keys(content).length > 0 && { content }),
    ...(Object.keys(delivery).length > 0 && { delivery }),
  };
}

const ALIASES = ['contentType', 'conversationId'];
const IN_DELIVERY: Readonly<Record<string, string>> = {
  status: 'status',
  error: 'error',
  sent_at: 'sent_at',
  delivered_at: 'delivered_at',
  failed_at: 'failed_at',
  deliveries: 'attempts',
};
const CONTENT_FIELDS: Readonly<Record<string, string>> = {
  text: 'text',
  format: 'content_type',
  attachments: 'attachments',
};
const IN_CONTENT: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CONTENT_FIELDS).map(([shown, stored]) => [stored, shown]),
);
const BLOCK = closed({
  type: { type: 'string', enum: ['paragraph', 'heading', 'quote', 'code', 'list_item'] },
  text: { type: 'string' },
});

function contentFields(content: WireRecord, problems: FieldProblem[]): WireRecord {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(content)) {
    const known = Object.hasOwn(CONTENT_FIELDS, name) ? CONTENT_FIELDS[name] : undefined;
    if (known !== undefined) fields[known] = value;
    else if (name === 'blocks') problems.push(readOnly('content.blocks'));
    else problems.push(unknown(`content.${name}`));
  }
  return fields;
}

/** Removes the alias that only 1.0 returns. */
function withoutAliases(record: WireRecord): WireRecord {
  const { content: _, ...rest } = record;
  return rest;
}

function unknown(field: string): FieldProblem {
  return unknownField(field, '');
}

function readOnly(field: string): FieldProblem {
  return { field, code: 'read_only', message: 'This field cannot be written.' };
}

function closed(properties: WireRecord): WireRecord {
  return { type: 'object', properties, required: Object.keys(properties) };
}
