import type { AdapterLog, Envelope, HealthReport } from '../contract/index.js';
import { RULES, wrongEnvelope, wrongHealth } from '../contract/validation/envelope.js';

/** An adapter called its host with an argument that the contract does not allow. */
export class RefusedArgument extends RangeError {
  override readonly name = 'RefusedArgument';
}

/** Checks the arguments of an adapter's host calls. The error and the log line name the adapter, the call and the field. */
export class HostArguments {
  constructor(
    private readonly platform: string,
    private readonly log: AdapterLog,
  ) {}

  /** Raises RefusedArgument. */
  envelope(envelope: Envelope): void {
    const field = wrongEnvelope(envelope);
    if (field !== undefined) throw this.refused('receive', field || 'envelope', ruleOf(field));
  }

  /** Raises RefusedArgument. */
  health(report: HealthReport): void {
    const field = wrongHealth(report);
    if (field !== undefined) throw this.refused('health', field || 'report', ruleOf(field));
  }

  /** Raises RefusedArgument. */
  text(call: string, field: string, value: unknown): void {
    if (typeof value !== 'string') throw this.refused(call, field, 'must be a text');
  }

  refused(call: string, field: string, rule: string): RefusedArgument {
    this.log.error('adapter.argument_refused', { call, field, rule });
    return new RefusedArgument(`The adapter ${this.platform} called host.${call}: ${field} ${rule}.`);
  }
}

const ruleOf = (field: string): string => RULES[field] ?? 'must be an object';
