import type { SynchronousSimulator } from '../../src/contract/simulation/index.js';

/** One bot's view of a room, with the name of that bot for the others in the room. */
export interface View {
  readonly simulator: SynchronousSimulator;
  readonly bot: string;
}

/** A room with several bots, each in its own simulator. A message of one bot reaches the others as a message of a bot. */
export class SharedRoom {
  /** Ids of own messages that the others have received. */
  readonly #shown = new Set<string>();

  constructor(private readonly views: readonly View[]) {}

  /** A person writes; every bot receives the message. */
  post(sender: string, text: string): void {
    for (const { simulator } of this.views) void simulator.post({ chatId: chatOf(simulator), sender, text });
  }

  /** Forwards new messages of each bot to the others. Returns whether there were any. */
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

  /** The room as people see it. */
  texts(): string[] {
    const [{ simulator } = this.views[0] as View] = this.views;
    return simulator.messages(chatOf(simulator)).map(({ text }) => text);
  }
}

const chatOf = (simulator: SynchronousSimulator): string => simulator.chats()[0]?.id ?? '';
