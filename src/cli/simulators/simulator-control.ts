import type { SynchronousSimulator } from '../../contract/simulation/index.js';
import type { Simulator, SimulatorAbility, SimulatorFault } from '../../core/simulators/ports.js';
import type { SimulatedPlatform } from './simulated-platforms.js';

const MAX_SHOWN = 2_000;
/** Reads and typing indicators. They would use up a fault before the message for which a person sets it. */
const SPARED = /^(?:GET |get[A-Z])|\.(?:fetch|history|info|list|replies|test)$|typing|sendChatAction/;
const SECRET = /token|secret|password/i;

/** A simulator in this process that users control from the dashboard. */
export class SimulatorControl implements Simulator {
  readonly #played: SimulatedPlatform;
  readonly #restore: () => Promise<void>;
  readonly abilities: ReadonlySet<SimulatorAbility>;

  /** `restore` writes the present credentials of the simulated account to its connection. */
  constructor(played: SimulatedPlatform, restore: () => Promise<void>) {
    this.#played = played;
    this.#restore = restore;
    this.abilities = abilitiesOf(played.simulator);
  }

  get platform(): string {
    return this.#played.platform;
  }

  get connectionId(): string {
    return this.#played.connectionId;
  }

  get #simulator(): SynchronousSimulator {
    return this.#played.simulator;
  }

  chats() {
    return this.#simulator.chats();
  }

  messages(chatId: string) {
    return this.#simulator.messages(chatId);
  }

  isTyping(chatId: string): boolean {
    return this.#simulator.isTyping?.(chatId) ?? false;
  }

  post(post: Parameters<Simulator['post']>[0]): Promise<string> {
    return this.#simulator.post(post);
  }

  async postLocation(...[chatId, sender, place]: Parameters<Simulator['postLocation']>): Promise<string> {
    const { latitude, longitude } = place;
    return (await this.#simulator.postLocation?.(chatId, sender, { latitude, longitude })) ?? '';
  }

  async edit(chatId: string, messageId: string, text: string): Promise<void> {
    await this.#simulator.edit?.(chatId, messageId, text);
  }

  async remove(chatId: string, messageId: string): Promise<void> {
    await this.#simulator.remove?.(chatId, messageId);
  }

  async react(...[chatId, messageId, sender, emoji, isAdded]: Parameters<Simulator['react']>): Promise<void> {
    await this.#simulator.react?.(chatId, messageId, sender, emoji, isAdded ? 'added' : 'removed');
  }

  async press(...args: Parameters<Simulator['press']>): Promise<void> {
    await this.#simulator.press?.(...args);
  }

  async type(chatId: string, sender: string): Promise<void> {
    await this.#simulator.type?.(chatId, sender);
  }

  calls(count: number) {
    const newest = this.#simulator.ledger.entries().slice(-count).reverse();
    return newest.map(({ request, ...entry }) => ({ ...entry, request: withoutSecrets(request) }));
  }

  faults() {
    const waiting = this.#simulator.faults.waiting();
    return waiting.map(({ fault, times = 1 }) => ({ kind: fault.kind, times }));
  }

  setFault(fault: SimulatorFault, times: number): void {
    this.#simulator.faults.set({ fault, times, spares: SPARED });
  }

  clearFaults(): void {
    this.#simulator.faults.clear();
  }

  async disconnect(): Promise<void> {
    await this.#simulator.disconnect?.();
  }

  async revokeToken(): Promise<void> {
    await this.#simulator.revokeToken?.();
  }

  restoreToken(): Promise<void> {
    return this.#restore();
  }
}

function abilitiesOf(simulator: SynchronousSimulator): ReadonlySet<SimulatorAbility> {
  const { edit, remove, react, type, press, postLocation } = simulator;
  const methods = { edit, delete: remove, react, type, press, location: postLocation };
  const all = Object.entries(methods) as [SimulatorAbility, unknown][];
  return new Set(all.flatMap(([ability, method]) => (method === undefined ? [] : [ability])));
}

/** A request may contain the credentials of the connection. */
function withoutSecrets(request: unknown): string {
  const shown = JSON.stringify(request, (name, value) => (SECRET.test(name) ? '…' : value));
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}
