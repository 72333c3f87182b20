/** Simulated platforms of this process, and the people on them. */

export const simulatorAbilities = ['edit', 'delete', 'react', 'type', 'press', 'location'] as const;
export type SimulatorAbility = (typeof simulatorAbilities)[number];

interface PhoneChat {
  readonly id: string;
  readonly title: string;
  readonly kind: 'direct' | 'group';
}

interface PhoneFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

interface PhonePlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** A message as a person on the platform sees it. */
export interface PhoneMessage {
  readonly id: string;
  readonly sender: string;
  /** Whether the connected account wrote it. */
  readonly own: boolean;
  readonly text: string;
  readonly replyToId?: string;
  readonly edited: boolean;
  readonly deleted: boolean;
  readonly files?: readonly PhoneFile[];
  readonly reactions?: readonly string[];
  readonly buttons?: readonly string[];
  readonly location?: PhonePlace;
  readonly sentAt?: number;
  readonly receipt?: 'accepted' | 'sent' | 'delivered' | 'failed';
}

export interface PhonePost {
  readonly chatId: string;
  readonly sender: string;
  readonly text: string;
  readonly replyToId?: string;
  readonly files?: readonly PhoneFile[];
}

/** A fault of the next calls to the platform. */
export type SimulatorFault =
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'drop_before' | 'drop_after' };

interface FaultSetting {
  readonly kind: string;
  /** Number of calls that it still affects. */
  readonly times: number;
}

/** A request of the bridge, as the platform received it. */
export interface PlatformCall {
  readonly number: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly call: string;
  readonly chatId?: string;
  /** JSON without secrets, truncated. */
  readonly request: string;
  /** 0 if the call got no response. */
  readonly status: number;
  readonly committed: boolean;
  readonly fault?: string;
}

/** A simulated platform and the connection that uses it. */
export interface Simulator {
  readonly platform: string;
  readonly connectionId: string;
  readonly abilities: ReadonlySet<SimulatorAbility>;
  chats(): readonly PhoneChat[];
  /** Oldest first. The chat must be one of `chats`. */
  messages(chatId: string): readonly PhoneMessage[];
  /** Whether the person sees that the connected account is typing. */
  isTyping(chatId: string): boolean;
  /** Resolves with the id of the message. */
  post(post: PhonePost): Promise<string>;
  postLocation(chatId: string, sender: string, place: PhonePlace): Promise<string>;
  edit(chatId: string, messageId: string, text: string): Promise<void>;
  remove(chatId: string, messageId: string): Promise<void>;
  react(chatId: string, messageId: string, sender: string, emoji: string, isAdded: boolean): Promise<void>;
  press(chatId: string, messageId: string, sender: string, label: string): Promise<void>;
  type(chatId: string, sender: string): Promise<void>;
  /** The newest calls, newest first. */
  calls(count: number): readonly PlatformCall[];
  faults(): readonly FaultSetting[];
  setFault(fault: SimulatorFault, times: number): void;
  clearFaults(): void;
  /** Closes every open connection. */
  disconnect(): Promise<void>;
  /** Makes the platform reject the connection's credentials. */
  revokeToken(): Promise<void>;
  /** Stores the credentials that the platform accepts now in the connection. */
  restoreToken(): Promise<void>;
}
