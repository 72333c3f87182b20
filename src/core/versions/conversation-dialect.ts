import type { FieldProblem } from '../common/errors.js';
import { type Dialect, isWireRecord, type WireRecord } from './dialect.js';
import { messageDialect } from './message-dialect.js';

/** Version 2.0 shows the participants of a conversation only in their own list, unless they are expanded. */
export const conversationDialect: Dialect = {
  names: Object.fromEntries(
    Object.entries(messageDialect.names ?? {}).map(([old, name]) => [`message.${old}`, `message.${name}`]),
  ),

  present(record, expanded) {
    if (expanded.has('participants')) return record;
    const { participants: _, ...rest } = record;
    return rest;
  },

  /** The optional first message of a new conversation has the form of any message. */
  accept(body, problems) {
    if (!isWireRecord(body.message)) return body;
    const found: FieldProblem[] = [];
    const message = messageDialect.accept?.(body.message, found);
    problems.push(...found.map((problem) => ({ ...problem, field: `message.${problem.field}` })));
    return { ...body, message };
  },

  describe(schema, direction) {
    if (direction === 'response') {
      const required = ((schema.required ?? []) as string[]).filter((name) => name !== 'participants');
      return { ...schema, required };
    }
    const properties = (schema.properties ?? {}) as WireRecord;
    if (!isWireRecord(properties.message) || messageDialect.describe === undefined) return schema;
    const message = messageDialect.describe(properties.message, 'request');
    return { ...schema, properties: { ...properties, message } };
  },
};
