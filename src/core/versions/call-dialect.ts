import type { Dialect, WireRecord } from './dialect.js';
import { expanded } from './message-dialect.js';

/** A call is equal in both versions, except that 2.0 can add its conversation. */
export const callDialect: Dialect = {
  present: (record) => record,

  describe(schema, direction) {
    if (direction === 'request') return schema;
    const properties = (schema.properties ?? {}) as WireRecord;
    return { ...schema, properties: { ...properties, conversation: expanded('Conversation') } };
  },
};
