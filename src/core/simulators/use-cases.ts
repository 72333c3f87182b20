import type { Caller } from '../access/caller.js';
import { AppError, conflict, notFound } from '../common/errors.js';
import type { ReadPlatforms } from '../platforms/use-cases.js';
import type { PhoneAction, SimulatorFaultBody } from './bodies.js';
import type { PhoneMessage, PhonePost, Simulator, SimulatorAbility } from './ports.js';
import type { PhoneFileRecord, PhoneScreenRecord, PlatformCallsRecord, SimulatorRecord } from './record.js';
import { shownCalls, shownMessage } from './shown.js';

const NEWEST = 100;

/** The simulated platforms of this service, for the workspace that has their connections. */
export class PlaySimulators {
  constructor(
    private readonly simulators: readonly Simulator[],
    private readonly platforms: ReadPlatforms,
  ) {}

  /** Empty if the service runs without simulators, or their connections belong to another workspace. */
  async list(caller: Caller): Promise<{ data: SimulatorRecord[] }> {
    if (this.simulators.length === 0) return { data: [] };
    const platforms = await this.platforms.all(caller);
    const data = this.simulators.flatMap((simulator) => {
      const platform = platforms.find(({ id }) => id === simulator.platform);
      const connection = platform?.connections.find(({ id }) => id === simulator.connectionId);
      if (platform === undefined || connection === undefined) return [];
      return {
        platform: platform.id,
        name: platform.name,
        connection_id: connection.id,
        status: connection.status,
        abilities: [...simulator.abilities, ...this.#ofPlatform(caller, platform.id)],
        chats: [...simulator.chats()],
      };
    });
    return { data };
  }

  async screen(caller: Caller, platform: string, chatId: string): Promise<PhoneScreenRecord> {
    const simulator = await this.#simulator(caller, platform);
    const messages = messagesIn(simulator, chatId).slice(-NEWEST).map(shownMessage);
    return { messages, typing: simulator.isTyping(chatId) };
  }

  async file(caller: Caller, platform: string, where: FilePlace): Promise<PhoneFileRecord> {
    const simulator = await this.#simulator(caller, platform);
    const found = messageIn(simulator, where.chat_id, where.message_id).files?.[where.index];
    if (found === undefined) throw notFound('The file');
    const { name, mimeType, bytes } = found;
    return { name, mime_type: mimeType, content: bytes.toString('base64') };
  }

  async calls(caller: Caller, platform: string): Promise<PlatformCallsRecord> {
    return shownCalls(await this.#simulator(caller, platform));
  }

  async act(caller: Caller, platform: string, action: PhoneAction): Promise<void> {
    const simulator = await this.#simulator(caller, platform);
    messagesIn(simulator, action.chat_id);
    const { chat_id: chatId, sender } = action;
    switch (action.type) {
      case 'write':
        await simulator.post(postOf(simulator, action));
        return;
      case 'type':
        requireAbility(simulator, 'type');
        return simulator.type(chatId, sender);
      case 'location':
        requireAbility(simulator, 'location');
        await simulator.postLocation(chatId, sender, action);
        return;
      default:
        return actOnMessage(simulator, action);
    }
  }

  async setFault(caller: Caller, platform: string, body: SimulatorFaultBody): Promise<PlatformCallsRecord> {
    const simulator = await this.#simulator(caller, platform);
    if (!('times' in body)) await happen(simulator, body.kind);
    else if (body.kind === 'rate_limited')
      simulator.setFault({ kind: body.kind, retryAfterMs: body.retry_after_s * 1_000 }, body.times);
    else if (body.kind === 'status') simulator.setFault({ kind: body.kind, status: body.status }, body.times);
    else simulator.setFault({ kind: body.kind }, body.times);
    return shownCalls(simulator);
  }

  async clearFaults(caller: Caller, platform: string): Promise<void> {
    (await this.#simulator(caller, platform)).clearFaults();
  }

  /** Throws `not_found` if the service has no such simulator or its connection belongs to another workspace. */
  async #simulator(caller: Caller, platform: string): Promise<Simulator> {
    if (this.simulators.length === 0) throw new AppError('not_found', WITHOUT);
    const found = this.simulators.find((simulator) => simulator.platform === platform);
    if (found === undefined) throw notFound('The simulator');
    await this.platforms.connection(caller, found.connectionId);
    return found;
  }

  /** The abilities of the platform itself, for every sender. None if its adapter was refused. */
  #ofPlatform(caller: Caller, platform: string): ('reply' | 'file')[] {
    const protocol = this.platforms.protocols(caller).find(({ id }) => id === platform);
    if (protocol === undefined) return [];
    const { ops, media } = protocol.capabilities;
    const hasFiles = Object.keys(media).length > 0;
    return [
      ...(ops.reply === 'native' ? (['reply'] as const) : []),
      ...(hasFiles ? (['file'] as const) : []),
    ];
  }
}

const WITHOUT =
  'This service runs without simulators. Start it with them: "npm start -- --simulators" in a checkout, "trunkline start --simulators" elsewhere.';

export interface FilePlace {
  readonly chat_id: string;
  readonly message_id: string;
  readonly index: number;
}

function messagesIn(simulator: Simulator, chatId: string): readonly PhoneMessage[] {
  if (!simulator.chats().some(({ id }) => id === chatId)) throw notFound('The chat');
  return simulator.messages(chatId);
}

function messageIn(simulator: Simulator, chatId: string, messageId: string): PhoneMessage {
  const found = messagesIn(simulator, chatId).find(({ id, deleted }) => id === messageId && !deleted);
  if (found === undefined) throw notFound('The message');
  return found;
}

/** Incidents that occur at once, not with the next call. */
function happen(simulator: Simulator, incident: Incident): Promise<void> {
  switch (incident) {
    case 'disconnect':
      return simulator.disconnect();
    case 'revoke_token':
      return simulator.revokeToken();
    case 'restore_token':
      return simulator.restoreToken();
  }
}

function requireAbility(simulator: Simulator, ability: SimulatorAbility): void {
  if (simulator.abilities.has(ability)) return;
  throw conflict('invalid_state', `People on ${simulator.platform} can't do this: ${ability}.`);
}

function postOf(
  simulator: Simulator,
  { chat_id: chatId, sender, text, reply_to_id: replyToId, file }: Extract<PhoneAction, { type: 'write' }>,
): PhonePost {
  if (replyToId !== undefined) messageIn(simulator, chatId, replyToId);
  const files =
    file === undefined
      ? {}
      : {
          files: [{ name: file.name, mimeType: file.mime_type, bytes: Buffer.from(file.content, 'base64') }],
        };
  return { chatId, sender, text, ...(replyToId === undefined ? {} : { replyToId }), ...files };
}

type Incident = Exclude<SimulatorFaultBody, { times: number }>['kind'];
type OnMessage = Extract<PhoneAction, { message_id: string }>;

async function actOnMessage(simulator: Simulator, action: OnMessage): Promise<void> {
  const { type, chat_id: chatId, message_id: messageId, sender } = action;
  requireAbility(simulator, type);
  const { own } = messageIn(simulator, chatId, messageId);
  if (type === 'react')
    return simulator.react(chatId, messageId, sender, action.emoji, action.change === 'added');
  if (own !== (type === 'press'))
    throw conflict('invalid_state', 'People change their own messages and press buttons of others.');
  if (type === 'press') return simulator.press(chatId, messageId, sender, action.label);
  if (type === 'delete') return simulator.remove(chatId, messageId);
  return simulator.edit(chatId, messageId, action.text);
}
