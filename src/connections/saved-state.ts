import type { AdapterHost } from '../contract/index.js';
import type { Redactor } from '../core/adapters/redactor.js';
import { isStorableText } from '../core/common/storable-text.js';
import type { ConnectionRuntime } from '../core/platforms/ports.js';
import type { HostArguments } from './host-arguments.js';
import type { LimitedCalls } from './host-limits.js';

const MAX_STATE_BYTES = 4096;
const MAX_NAME_LENGTH = 200;
/** Maximum number of names per connection. */
const MAX_STATE_NAMES = 64;

interface Pending {
  value: string | null;
  readonly saved: Promise<void>;
}

/** The saved state of one connection. While a save of a name waits, a newer value replaces the waiting one. */
export class SavedState {
  readonly #pending = new Map<string, Pending>();

  constructor(
    private readonly connectionId: string,
    private readonly runtime: Pick<ConnectionRuntime, 'loadState' | 'saveState' | 'replaceState'>,
    private readonly redactor: Redactor,
    private readonly calls: LimitedCalls,
    private readonly given: Pick<HostArguments, 'text' | 'refused'>,
  ) {}

  /** The interface for adapters. */
  get access(): AdapterHost['state'] {
    return {
      load: (name) => this.#load(name),
      save: (name, value) => this.#save(name, value),
      replace: (name, expected, value) => this.#replace(name, expected, value),
    };
  }

  async #load(name: string): Promise<string | undefined> {
    const key = this.#key('state.load', name);
    return this.calls.run(() => this.runtime.loadState(this.connectionId, key));
  }

  async #save(name: string, value: string | null): Promise<void> {
    const key = this.#key('state.save', name);
    this.#check('state.save', value);
    const waiting = this.#pending.get(key);
    if (waiting !== undefined) {
      waiting.value = value;
      return waiting.saved;
    }
    const pending: Pending = { value, saved: this.calls.run(() => this.#store(key)) };
    this.#pending.set(key, pending);
    // A refused save must not stay pending.
    pending.saved.catch(() => {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    });
    return pending.saved;
  }

  /** Stores the pending value. A value that is saved after this call needs another write. */
  async #store(key: string): Promise<void> {
    const { value = null } = this.#pending.get(key) ?? {};
    this.#pending.delete(key);
    const isSaved = await this.runtime.saveState(this.connectionId, key, value, MAX_STATE_NAMES);
    if (!isSaved) throw this.#tooMany('state.save');
  }

  async #replace(name: string, expected: string | null, value: string | null): Promise<boolean> {
    const key = this.#key('state.replace', name);
    if (expected !== null) this.given.text('state.replace', 'expected', expected);
    this.#check('state.replace', value);
    const result = await this.calls.run(() =>
      this.runtime.replaceState(this.connectionId, key, { expected, value }, MAX_STATE_NAMES),
    );
    if (result === 'full') throw this.#tooMany('state.replace');
    return result === 'saved';
  }

  #check(call: string, value: string | null): void {
    if (value !== null) this.given.text(call, 'value', value);
    if (value !== null && !isStorableText(value))
      throw this.given.refused(call, 'value', 'must not contain U+0000 or unpaired surrogates');
    if (value !== null && Buffer.byteLength(value) > MAX_STATE_BYTES)
      throw this.given.refused(call, 'value', `must have at most ${MAX_STATE_BYTES} bytes`);
  }

  #tooMany(call: string): Error {
    return this.given.refused(call, 'name', `is one of more than at most ${MAX_STATE_NAMES} names`);
  }

  #key(call: string, name: string): string {
    this.given.text(call, 'name', name);
    const key = this.redactor.text(name);
    if (key === '' || key.length > MAX_NAME_LENGTH)
      throw this.given.refused(call, 'name', `must be a text of 1 to ${MAX_NAME_LENGTH} characters`);
    return key;
  }
}
