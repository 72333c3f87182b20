/** Fields of one log line. An error belongs under `err`; no field may hold a secret or a message body. */
export type LogFields = Record<string, unknown>;

/**
 * The logger of all areas.
 *
 * `event` has the form `noun.verb_past`. A pino logger satisfies this interface.
 */
export interface Log {
  debug(fields: LogFields, event: string): void;
  info(fields: LogFields, event: string): void;
  warn(fields: LogFields, event: string): void;
  error(fields: LogFields, event: string): void;
}
