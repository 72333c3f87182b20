import { clock } from '../../contract/index.js';

const WINDOW_MS = 120_000;
const TEXTS_OF_A_CHAT = 32;
const CHATS = 2_000;
/** Relays add names in front of a text, so only the end of a text returns. */
const TAIL = 200;
/** Number of returns of a text before the database checks for a loop. */
const RETURNS = 5;

interface Heard {
  readonly tail: string;
  readonly at: number;
  readonly returns: number;
}

/**
 * Detects texts that return in the same chat. A return alone is no loop, because people repeat words. It only triggers a check of
 * what the bridge wrote. Keeps the latest texts of the most recently active chats.
 */
export class LoopWatch {
  readonly #chats = new Map<string, Heard[]>();

  /** Whether a text of a chat has returned often enough for a check. */
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

/** Copies the text, because a slice would keep the whole text in memory. */
function tailOf(text: string): string {
  return Buffer.from(text.slice(-TAIL), 'utf16le').toString('utf16le');
}
