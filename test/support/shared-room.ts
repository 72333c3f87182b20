import type { SynchronousSimulator } from '../../src/contract/simulation/index.js';

/** What one bot sees of a room, and the name under which the others in it know that bot. */
export interface View {
  readonly simulator: SynchronousSimulator;
  readonly bot: string;
}

/** One room as several bots see it, each through a simulator of its own: what one of them writes, the others hear from a bot. */
export class SharedRoom {
  /** Ids of own messages that the others have heard already. */
  readonly #shown = new Set<string>();

  constructor(private readonly views: readonly View[]) {}

  /** A person writes; every bot hears it. */
  post(sender: string, text: string): void {
    for (const { simulator } of this.views) void simulator.post({ chatId: chatOf(simulator), sender, text });
  }

  /** Lets the others hear what a bot has written since. Answers whether there was anything. */
  show(): boolean {
    let any = false;
    for (const view of this.views)
      for (const { id, own, text } of view.simulator.messages(chatOf(view.simulator))) {
        const key = `${view.bot} ${id}`;
        if (!own || this.#shown.has(key)) continue;
        this.#shown.add(key);
        any = true;
        for (const { simulator } of this.views.filter((other) => other !== view))
          void simulator.post({ chatId: chatOf(simulator), sender: view.bot, text, bot: true });
      }
    return any;
  }

  /** The room as the people in it see it. */
  texts(): string[] {
    const [{ simulator } = this.views[0] as View] = this.views;
    return simulator.messages(chatOf(simulator)).map(({ text }) => text);
  }
}

const chatOf = (simulator: SynchronousSimulator): string => simulator.chats()[0]?.id ?? '';
