import type { SimulatedMessage } from '../../contract/simulation/index.js';
import type { ConversationRecord } from '../../core/conversations/record.js';
import type { MessageRecord } from '../../core/messages/record.js';
import type { CapabilitiesRecord, ProtocolRecord } from '../../core/platforms/record.js';
import type { UserRecord } from '../../core/users/record.js';
import { gatheringOf, type SimulatedPlatform } from '../simulators/simulated-platforms.js';
import { waitUntil, waitUntilQuiet } from '../wait-until.js';
import { type Progress, seconds } from './progress.js';
import type { Stage } from './stage.js';

/** A linked chat with the capabilities of its platform. */
interface LinkedChat extends SimulatedPlatform {
  readonly chatId: string;
  readonly title: string;
  readonly ops: CapabilitiesRecord['ops'];
}

interface Reply {
  readonly place: LinkedChat;
  readonly sender: string;
  readonly text: string;
  readonly remoteId: string;
  record?: MessageRecord;
}

const PEOPLE = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Radia'];
const GREETING = 'Good morning from the interface. Who is there?';
const CORRECTED = 'Good morning from the interface (corrected). Who is there?';

/** One conversation across all platforms, checked through the API and in the simulated chats. */
export class Bridge {
  readonly #places: LinkedChat[] = [];
  readonly #replies: Reply[] = [];
  #conversation = '';
  #greeting = '';

  constructor(
    private readonly stage: Stage,
    private readonly progress: Progress,
  ) {}

  async open(): Promise<void> {
    const { client, platforms } = this.stage;
    for (const platform of platforms.all) {
      const { id, title } = gatheringOf(platform);
      const protocol = await client.get<ProtocolRecord>(`/openapi/protocols/${platform.platform}`);
      this.#places.push({ ...platform, chatId: id, title, ops: protocol.capabilities.ops });
    }
    const conversation = await client.post<ConversationRecord>('/openapi/conversations', {
      title: 'Demo',
      links: this.#places.map((place) => ({ connection_id: place.connectionId, external_id: place.chatId })),
    });
    this.#conversation = conversation.id;
    for (const { platform, title, chatId } of this.#places) {
      const linked = conversation.links.some((link) => link.external_id === chatId);
      this.progress.check(linked, `${platform}: linked "${title}" (${chatId})`);
    }
  }

  async send(): Promise<void> {
    const startedAt = Date.now();
    const message = await this.stage.client.post<MessageRecord>('/openapi/messages', {
      conversation_id: this.#conversation,
      text: GREETING,
    });
    this.#greeting = message.id;
    this.progress.check(message.deliveries.length === this.#places.length, `201 after ${since(startedAt)}`);
    await this.#everywhere(async (place) => {
      const seen = await waitUntil(() => copies(place, GREETING).length > 0);
      this.progress.check(seen === true, `${place.platform}: a person sees it after ${since(startedAt)}`);
    });
    // Wait until the service has recorded the ids of the messages on the platforms. Real people take longer to reply.
    await waitUntil(async () => {
      const { deliveries } = await this.stage.client.get<MessageRecord>(`/openapi/messages/${message.id}`);
      return deliveries.every(({ status }) => status !== 'queued' && status !== 'sending');
    });
  }

  /** Posts as a person on each platform in turn, and checks that all other platforms get the message. */
  async reply(): Promise<void> {
    for (const [index, place] of this.#places.entries()) {
      const sender = PEOPLE[index % PEOPLE.length] ?? '';
      const text = `I am here, on ${place.platform}.`;
      const [original] = copies(place, GREETING);
      const remoteId = await place.simulator.post({
        chatId: place.chatId,
        sender,
        text,
        ...(this.#shows(place, 'reply') && original !== undefined ? { replyToId: original.id } : {}),
      });
      const reply: Reply = { place, sender, text, remoteId };
      this.#replies.push(reply);
      await this.#checkReply(reply);
    }
    await this.#checkSingleCopies();
  }

  async #checkReply(reply: Reply): Promise<void> {
    const { place, sender, text } = reply;
    const startedAt = Date.now();
    const record = await waitUntil(async () => (await this.#messages()).find((one) => one.text === text));
    if (record === undefined) {
      this.progress.check(false, `${place.platform}: ${sender}'s reply is stored`);
      return;
    }
    reply.record = record;
    // If a reply arrives before the service has recorded the platform's id of the greeting, it becomes a reply a moment later.
    const isReply =
      !this.#shows(place, 'reply') || (await waitUntil(() => this.#answersGreeting(record.id))) === true;
    const user = await this.stage.client.get<UserRecord>(`/openapi/users/${record.sender_id}`);
    const known = user.display_name === sender || user.display_name === place.chatId;
    this.progress.check(
      isReply && known && record.platform === place.platform,
      `${place.platform}: ${sender}'s reply is stored${this.#shows(place, 'reply') ? ' as a reply' : ''}, from "${user.display_name}"`,
    );
    const others = this.#places.filter((other) => other.platform !== place.platform);
    const relayed = `${user.display_name}: ${text}`;
    const arrived = await Promise.all(
      others.map((other) => waitUntil(() => copies(other, relayed)[0] !== undefined)),
    );
    const missing = others.filter((_, index) => arrived[index] === undefined).map(({ platform }) => platform);
    this.progress.check(
      missing.length === 0,
      `${place.platform}: "${relayed}" on ${others.length - missing.length} others after ${since(startedAt)}${
        missing.length === 0 ? '' : `, missing on ${missing.join(', ')}`
      }`,
    );
    // Copies that were sent before the reply was recognised do not quote the greeting.
    if (record.reply_to_id === null) return;
    const flat = others
      .filter((other) => this.#shows(other, 'reply'))
      .filter((other) => copies(other, relayed)[0]?.replyToId !== copies(other, GREETING)[0]?.id);
    this.progress.check(flat.length === 0, `${place.platform}: shown as a reply wherever there are replies`);
  }

  async #answersGreeting(messageId: string): Promise<boolean> {
    const message = await this.stage.client.get<MessageRecord>(`/openapi/messages/${messageId}`);
    return message.reply_to_id === this.#greeting;
  }

  /** Checks that there is no echo and no loop: every chat must have exactly one copy of each message. */
  async #checkSingleCopies(): Promise<void> {
    const quiet = await waitUntilQuiet(() =>
      JSON.stringify(this.#places.map(({ simulator, chatId }) => simulator.messages(chatId).length)),
    );
    const expected = 1 + this.#replies.length;
    const counts = this.#places.map(({ simulator, chatId }) => simulator.messages(chatId).length);
    const distinct = this.#places.map(
      ({ simulator, chatId }) => new Set(simulator.messages(chatId).map(({ text }) => text)).size,
    );
    const exact = [...counts, ...distinct].every((count) => count === expected);
    const stored = (await this.#messages()).length;
    this.progress.check(
      quiet && exact && stored === expected,
      `exactly one copy per chat: ${counts.join(', ')} messages in the chats, ${stored} stored`,
    );
  }

  /** Edits one message through the REST API, then one as the first person whose platform supports edits. */
  async edit(): Promise<void> {
    const startedAt = Date.now();
    const path = `/openapi/messages/${this.#greeting}`;
    await this.stage.client.patch<MessageRecord>(path, { text: CORRECTED });
    await this.#checkEdited('by REST', this.#greeting, CORRECTED, this.#places, startedAt);
    const reply = this.#replies.find(({ place }) => place.simulator.edit !== undefined);
    if (reply?.record === undefined) {
      this.progress.check(false, 'a person edits a reply');
      return;
    }
    const { place, record, remoteId, sender } = reply;
    const text = `${reply.text} (edited)`;
    const editedAt = Date.now();
    await place.simulator.edit?.(place.chatId, remoteId, text);
    const others = this.#places.filter((other) => other.platform !== place.platform);
    await this.#checkEdited(
      `by ${sender} on ${place.platform}`,
      record.id,
      `${sender}: ${text}`,
      others,
      editedAt,
    );
  }

  async #checkEdited(
    by: string,
    messageId: string,
    text: string,
    places: readonly LinkedChat[],
    startedAt: number,
  ): Promise<void> {
    await Promise.all(
      places.map(async (place) => {
        if (this.#shows(place, 'edit')) {
          const seen = await waitUntil(() => copies(place, text).some(({ edited }) => edited));
          this.progress.check(
            seen === true,
            `edit ${by}: seen on ${place.platform} after ${since(startedAt)}`,
          );
          return;
        }
        const degraded = await waitUntil(async () =>
          (await this.#degradations(messageId, place)).includes('edit'),
        );
        this.progress.check(
          degraded === true && copies(place, text).length === 0,
          `edit ${by}: ${place.platform} can't, its delivery says degradations ["edit"]`,
        );
      }),
    );
  }

  async #degradations(messageId: string, place: LinkedChat): Promise<readonly string[]> {
    const message = await this.stage.client.get<MessageRecord>(`/openapi/messages/${messageId}`);
    return message.deliveries.find(({ platform }) => platform === place.platform)?.degradations ?? [];
  }

  #shows(place: LinkedChat, op: 'edit' | 'reply'): boolean {
    return place.ops[op] === 'native';
  }

  #messages(): Promise<MessageRecord[]> {
    return this.stage.client.all(`/openapi/messages?conversation_id=${this.#conversation}`);
  }

  async #everywhere(act: (place: LinkedChat) => Promise<void>): Promise<void> {
    await Promise.all(this.#places.map(act));
  }
}

/** The messages with this text that the bridge wrote into a chat, as a person sees them now. */
function copies({ simulator, chatId }: LinkedChat, text: string): SimulatedMessage[] {
  return simulator.messages(chatId).filter((message) => message.own && message.text === text);
}

function since(startedAt: number): string {
  return seconds(Date.now() - startedAt);
}
