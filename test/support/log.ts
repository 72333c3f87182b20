import type { Log, LogFields } from '../../src/core/common/log.js';

/** A log that discards its lines. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export interface RecordedLine {
  level: keyof Log;
  fields: LogFields;
  event: string;
}

/** A log that keeps its lines for tests. */
export function recordingLog(): Log & { lines: RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const write = (level: keyof Log) => (fields: LogFields, event: string) => {
    lines.push({ level, fields, event });
  };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
