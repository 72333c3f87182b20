/** The message being replied to. Name and excerpt are known only in the browser where the reply was started. */
export interface ReplyTarget {
  readonly id: string;
  readonly name?: string;
  readonly excerpt?: string;
  /** Set if the excerpt is Markdown. */
  readonly content_type?: 'markdown';
}

export interface DraftContent {
  readonly text: string;
  readonly isNote: boolean;
  readonly reply: ReplyTarget | undefined;
}

/** A draft as the service stores it. */
export interface StoredDraft {
  readonly version: string;
  readonly text: string;
  readonly is_note: boolean;
  readonly reply_to_id: string | null;
}

export interface DraftService {
  load(): Promise<StoredDraft | null>;
  save(
    content: DraftContent,
    base: string | null,
  ): Promise<{ readonly is_saved: boolean; readonly draft: StoredDraft | null }>;
}

export interface DraftStorage {
  read(): string | null;
  write(text: string | null): void;
}

interface Kept extends DraftContent {
  /** The version in the service that this text is based on, or was saved as. */
  readonly base: string | null;
  /** Whether the text has unsaved changes. */
  readonly isDirty: boolean;
}

const NONE: Kept = { text: '', isNote: false, reply: undefined, base: null, isDirty: false };
const DELAY_MS = 800;

/**
 * The draft of a member in one conversation. It is stored in this browser immediately and in the service after a short delay. A
 * draft from another browser never replaces unsaved text. The user decides which one to keep.
 */
export class DraftKeeper {
  #kept: Kept;
  #other: StoredDraft | undefined;
  #changes = 0;
  #isSaving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #watchers = new Set<() => void>();

  constructor(
    private readonly service: DraftService,
    private readonly storage: DraftStorage,
  ) {
    this.#kept = readKept(storage.read());
  }

  get content(): DraftContent {
    return this.#kept;
  }

  /** The draft of another browser, if this browser has different unsaved text. */
  get other(): StoredDraft | undefined {
    return this.#other;
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  change(change: Partial<DraftContent>): void {
    this.#changes += 1;
    this.#set({ ...this.#kept, ...change, isDirty: true });
    this.#schedule(isEmpty(this.#kept) ? 0 : DELAY_MS);
  }

  /** Loads the draft from the service. Called when the conversation is opened and when the user returns to the page. */
  async load(): Promise<void> {
    if (this.#kept.isDirty) return this.save();
    const before = this.#changes;
    const stored = await this.service.load().catch(() => undefined);
    if (stored === undefined || this.#changes !== before || this.#kept.isDirty) return;
    if ((stored?.version ?? null) !== this.#kept.base) this.#adopt(stored);
  }

  /** Saves unsaved text. A failure is not shown: the text stays in this browser and is sent at the next change or visit. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isSaving || !this.#kept.isDirty || this.#other !== undefined) return;
    this.#isSaving = true;
    const at = this.#changes;
    const answer = await this.service.save(this.#kept, this.#kept.base).catch(() => undefined);
    this.#isSaving = false;
    if (answer === undefined) return;
    if (answer.is_saved)
      this.#set({ ...this.#kept, base: answer.draft?.version ?? null, isDirty: this.#changes !== at });
    else if (isEmpty(this.#kept)) this.#adopt(answer.draft);
    else this.#ask(answer.draft);
    if (this.#kept.isDirty) this.#schedule(DELAY_MS);
  }

  /** Replaces this text with the one of the other browser. */
  takeOther(): void {
    if (this.#other !== undefined) this.#adopt(this.#other);
  }

  /** Keeps this text and replaces the one of the other browser. */
  keepOwn(): void {
    if (this.#other === undefined) return;
    const base = this.#other.version;
    this.#other = undefined;
    this.#set({ ...this.#kept, base });
    void this.save();
  }

  #ask(other: StoredDraft | null): void {
    this.#other = other ?? undefined;
    this.#tell();
  }

  #adopt(stored: StoredDraft | null): void {
    this.#changes += 1;
    this.#other = undefined;
    if (stored === null) return this.#set(NONE);
    const { version, text, is_note: isNote, reply_to_id: replyTo } = stored;
    this.#set({
      text,
      isNote,
      reply: replyTo === null ? undefined : { id: replyTo },
      base: version,
      isDirty: false,
    });
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), ms);
  }

  #set(kept: Kept): void {
    this.#kept = kept;
    this.storage.write(isEmpty(kept) && !kept.isNote && !kept.isDirty ? null : JSON.stringify(kept));
    this.#tell();
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

const isEmpty = ({ text, reply }: DraftContent): boolean => text === '' && reply === undefined;

/** Reads the draft stored in this browser. A value that is not an object is ignored. */
function readKept(stored: string | null): Kept {
  if (stored === null) return NONE;
  try {
    return { ...NONE, ...(JSON.parse(stored) as Partial<Kept>) };
  } catch {
    return NONE;
  }
}
