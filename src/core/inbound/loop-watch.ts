import { clock } from '../../contract/index.js';

const WINDOW_MS = 120_000;
const TEXTS_OF_A_CHAT = 32;
const CHATS = 2_000;
/** Relays put names in front of a text, so its end is what comes back. */
const TAIL = 200;
/** The number of times that a text must come back before the database is asked whether it loops. */
const RETURNS = 5;

interface Heard {
  readonly tail: string;
  readonly at: number;
  readonly returns: number;
}

/**
 * Notices texts that come back in the same chat. That alone is no loop, for people repeat words; it is only the reason to look
 * at what the bridge wrote meanwhile. Holds the last texts of the chats in which something was said last.
 */
export class LoopWatch {
  readonly #chats = new Map<string, Heard[]>();

  /** Whether a text of a chat has come back so often that it is worth a look. */
  isSuspicious(connectionId: string, chatId: string, text: string): boolean {
    if (text === '') return false;
    const key = `${connectionId} ${chatId}`;
    const now = clock.now();
    const heard = (this.#chats.get(key) ?? []).filter(({ at }) => now - at < WINDOW_MS);
    const before = heard.filter(({ tail }) => text.includes(tail)).map(({ returns }) => returns);
    const returns = before.length === 0 ? 0 : Math.max(...before) + 1;
    heard.push({ tail: tailOf(text), at: now, returns });
    this.#remember(key, heard.slice(-TEXTS_OF_A_CHAT));
    return returns > 0 && returns % RETURNS === 0;
  }

  #remember(key: string, heard: Heard[]): void {
    this.#chats.delete(key);
    this.#chats.set(key, heard);
    if (this.#chats.size <= CHATS) return;
    const [oldest] = this.#chats.keys();
    if (oldest !== undefined) this.#chats.delete(oldest);
  }
}

/** A copy: a slice would keep the whole text in memory. */
function tailOf(text: string): string {
  return Buffer.from(text.slice(-TAIL), 'utf16le').toString('utf16le');
}
