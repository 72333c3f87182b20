import {
  type FaultDial,
  type Ledger,
  Outlet,
  type ShapedFault,
  type SimulatedAccount,
  type SimulatedAnswer,
  type SimulatedCall,
  type SimulatedChat,
  type SimulatedMessage,
  type SimulatedPost,
  type SimulatedRequest,
  type Simulator,
  type SimulatorOptions,
  SimulatorServer,
} from '../../../src/contract/simulation/index.js';
import { MessageService } from './message-service.js';
import { twilioRoutes } from './routes.js';
import { refuse, refuseOddly } from './rules.js';

const accountSid = `AC${'5'.repeat(32)}`;
const authToken = 'simulated-auth-token';
const messagingServiceSid = `MG${'5'.repeat(32)}`;
/** The sender that Twilio's test credentials accept. */
const number = '+15005550006';
const areaCodes = [202, 212, 213, 312, 415, 617];
const NUMBERS_PER_AREA = 8_000_000;

/** A simulated Twilio account with one number, one messaging service and the phones of all people. */
export class TwilioSimulator implements Simulator {
  readonly platform = 'sms';
  readonly ledger: Ledger;
  readonly faults: FaultDial;
  readonly #server: SimulatorServer;
  readonly #messageService: MessageService;
  readonly #route: (request: SimulatedRequest) => SimulatedCall;
  #authToken = authToken;
  #tokens = 1;
  readonly #names = new Map<string, string>();
  #apiBaseUrl = '';

  constructor({ port, limits = 'documented', limitsFaster }: SimulatorOptions = {}) {
    this.#server = new SimulatorServer({
      ...(port === undefined ? {} : { port }),
      route: (request) => this.#route(request),
      faultAnswer,
    });
    this.ledger = this.#server.ledger;
    this.faults = this.#server.faults;
    const outlet = new Outlet<() => void>(this.faults, (deliver) => deliver());
    this.#messageService = new MessageService({
      accountSid,
      authToken: () => this.#authToken,
      number,
      messagingServiceSid,
      limits,
      limitsFaster,
      outlet,
    });
    this.#route = twilioRoutes({ accountSid, authToken: () => this.#authToken }, this.#messageService);
  }

  async start(): Promise<{ readonly apiBaseUrl: string }> {
    this.#apiBaseUrl = await this.#server.start();
    return { apiBaseUrl: this.#apiBaseUrl };
  }

  async stop(): Promise<void> {
    this.#messageService.stop();
    await this.#server.stop();
  }

  account(): SimulatedAccount {
    return {
      credentials: { account_sid: accountSid, auth_token: this.#authToken },
      settings: { from: number, api_base_url: this.#apiBaseUrl },
    };
  }

  /** The same account with a messaging service as its sender. */
  messagingServiceAccount(): SimulatedAccount {
    return {
      credentials: this.account().credentials,
      settings: { messaging_service_sid: messagingServiceSid, api_base_url: this.#apiBaseUrl },
    };
  }

  chats(): readonly SimulatedChat[] {
    return [
      { id: '+12025550143', title: 'Ada', kind: 'direct' },
      { id: '+12025550178', title: 'Grace', kind: 'direct' },
    ];
  }

  address(index: number): string {
    const area = areaCodes[Math.floor(index / NUMBERS_PER_AREA) % areaCodes.length];
    return `+1${area}${2_000_000 + (index % NUMBERS_PER_AREA)}`;
  }

  setWebhook(url: string): void {
    this.#messageService.webhookUrl = url;
  }

  /** Makes later messages to this number undelivered with Twilio's code. Undefined ends that. */
  failDelivery(chatId: string, code: number | undefined): void {
    this.#messageService.failDelivery(chatId, code);
  }

  /** Replaces the primary token, as in the console. `account` has the new one. */
  revokeToken(): void {
    this.#tokens += 1;
    this.#authToken = `${authToken}-${this.#tokens}`;
  }

  disconnect(): void {
    this.#server.cut();
  }

  async post({ chatId, sender, text, files }: SimulatedPost): Promise<string> {
    this.#names.set(chatId, sender);
    return this.#messageService.incoming(chatId, text, files).sid;
  }

  /** The status of a message in the API. */
  status(id: string): string | undefined {
    return this.#messageService.find(id)?.status;
  }

  messages(chatId: string): readonly SimulatedMessage[] {
    return this.#messageService.with(chatId).map(({ sid, direction, body, files, createdAt, status }) => ({
      id: sid,
      chatId,
      sender: direction === 'inbound' ? (this.#names.get(chatId) ?? chatId) : number,
      own: direction !== 'inbound',
      text: body,
      edited: false,
      deleted: false,
      ...(files.size === 0 ? {} : { files: [...files.values()] }),
      sentAt: createdAt,
      ...(direction === 'inbound' ? {} : { receipt: receiptOf(status) }),
    }));
  }
}

/** https://www.twilio.com/docs/messaging/api/message-resource#message-status-values, in four steps. */
function receiptOf(status: string): NonNullable<SimulatedMessage['receipt']> {
  if (status === 'sent' || status === 'delivered') return status;
  return status === 'failed' || status === 'undelivered' ? 'failed' : 'accepted';
}

function faultAnswer(fault: ShapedFault): SimulatedAnswer {
  if (fault.kind === 'rate_limited')
    return {
      ...refuse(20429),
      headers: { 'retry-after': String(Math.ceil(fault.retryAfterMs / 1000)) },
    };
  return fault.kind === 'revoked' ? refuse(20003) : refuseOddly(fault.code);
}
