import {
  type AdapterDefinition,
  type PartStep,
  plainContent,
  type RateBucket,
  remoteChatId,
} from '../../../contract/index.js';
import type { SendingConnection, SendingConnections } from '../../deliveries/ports.js';
import { refusalOf } from '../../deliveries/send/plan-refusal.js';
import { planTask } from '../../deliveries/send/plan-task.js';
import { placesOf } from '../../deliveries/send/step-parts.js';
import type { PlannedTask } from '../../deliveries/task.js';
import { contentFromMarkdown } from '../../formatting/markdown.js';
import type { Platforms } from '../../platforms/catalogue.js';
import type { Settings } from '../../platforms/configuration.js';
import { billedUnits } from '../../platforms/definition-hooks.js';
import type { AccountRate } from '../../rates/rates.js';
import { accountRate, writeRate } from '../../rates/write-rate.js';
import type { Call } from './connection-run.js';
import type { RehearsalSetup, RehearsedRecipient } from './ports.js';
import { type ShownText, shownTexts } from './shown-texts.js';

/** Number of cached plans. Texts with personal values have one plan each. */
const KEPT = 500;

/** The plan of a text on a connection. */
export interface PlannedContent {
  readonly steps: readonly PartStep[];
  readonly parts: number;
  readonly degradations: readonly string[];
  readonly billed: { readonly unit: string; readonly count: number } | null;
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

/** A connection that recipients would be sent to, or the platform if there is no connection. */
export interface Stand {
  readonly connection: RehearsalSetup['connections'][number] | undefined;
  readonly platform: string;
  readonly definition: AdapterDefinition | undefined;
  readonly live: SendingConnection | undefined;
  readonly account: AccountRate | null;
  readonly rate: SendingConnection['rate'];
}

export interface PlannerServices {
  readonly connections: Pick<SendingConnections, 'find'>;
  readonly platforms: Pick<Platforms, 'find'>;
}

/**
 * Plans the messages of a broadcast as their deliveries would. A connection that is not live is planned from its
 * definition.
 */
export class RehearsalPlanner {
  readonly #stands = new Map<string, Stand>();
  readonly #kept = new Map<string, PlannedContent>();
  readonly #attachments: ReadonlyMap<string | null, PlannedTask['message']['attachments']>;

  constructor(
    private readonly services: PlannerServices,
    private readonly setup: RehearsalSetup,
    private readonly contentType: 'text' | 'markdown',
    private readonly category: 'marketing' | 'transactional',
  ) {
    this.#attachments = new Map(setup.contents.map(({ variant, attachments }) => [variant, attachments]));
  }

  attachmentsOf(variant: string | null): PlannedTask['message']['attachments'] {
    return this.#attachments.get(variant) ?? [];
  }

  standOf({ connection_id: id, platform }: RehearsedRecipient): Stand {
    const key = id ?? platform;
    const known = this.#stands.get(key);
    if (known !== undefined) return known;
    const connection = this.setup.connections.find((each) => each.id === id);
    const stand = this.#newStand(connection, platform);
    this.#stands.set(key, stand);
    return stand;
  }

  #newStand(connection: Stand['connection'], platform: string): Stand {
    const definition = this.services.platforms.find(platform);
    const live = connection && this.services.connections.find(connection.id);
    const known = { connection, platform, definition, live };
    if (live !== undefined)
      return { ...known, account: live.account, rate: (step, to) => live.rate(step, to) };
    if (definition === undefined) return { ...known, account: null, rate: () => ({ buckets: [] }) };
    const settings = {
      rate_per_second: connection?.settings.rate_per_second ?? definition.rate.per_second ?? 0,
      chat_pacing: connection?.settings.chat_pacing ?? 'platform',
    } as Settings;
    return {
      ...known,
      account: accountRate(definition, settings),
      rate: writeRate(definition, settings, {}),
    };
  }

  /** Plans equal contents once. The plan of a send without a reply or a thread is the same in every chat. */
  plan(recipient: RehearsedRecipient, stand: Stand): PlannedContent {
    const { connection_id: id, platform, variant, text } = recipient;
    const key = `${id ?? platform} ${variant === null ? '' : JSON.stringify(variant)} ${text}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const planned = this.#planned(recipient, stand);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    this.#kept.set(key, planned);
    return planned;
  }

  #planned(recipient: RehearsedRecipient, { definition, live }: Stand): PlannedContent {
    const shown = this.shownOf(recipient.text, definition);
    const billed = billedUnits(definition, shown.map(({ text }) => text).join('')) ?? null;
    if (live === undefined) {
      const parts = shown.length;
      const steps = Array.from({ length: parts }, (_, index) => textStep(index));
      return { steps, parts, degradations: [], billed, refusal: null };
    }
    try {
      const { steps, degradations } = planTask(this.#task(recipient), live, chatOf(recipient));
      const parts = steps.reduce((sum, step) => sum + placesOf(step).length, 0);
      return { steps, parts, degradations: [...new Set(degradations)], billed, refusal: null };
    } catch (cause) {
      return { steps: [], parts: 0, degradations: [], billed: null, refusal: refusalOf(cause) };
    }
  }

  /** The messages as recipients would see them. */
  shownOf(text: string, definition: AdapterDefinition | undefined): ShownText[] {
    const content = this.contentType === 'markdown' ? contentFromMarkdown(text) : plainContent(text);
    return shownTexts(content, definition);
  }

  #task({ id, variant, text, chat, address }: RehearsedRecipient): PlannedTask {
    return {
      operation: 'send',
      message: {
        id,
        category: this.category,
        text,
        content_type: this.contentType,
        attachments: this.attachmentsOf(variant),
        spans: null,
        revision: 1,
      },
      link: { id, external_id: chat ?? '', external_thread_id: null, address, attribution: 'none' },
      sender: null,
      parts: [],
      reply_to_external_id: null,
    };
  }
}

const chatOf = ({ chat }: RehearsedRecipient): string => chat ?? '';

const textStep = (index: number): PartStep => ({ action: 'create', index, kind: 'text', payload: {} });

/**
 * The calls of a recipient with their rate buckets. Keys of chat buckets are replaced by numbers, because each
 * recipient has another chat.
 */
export function callsOf(recipient: RehearsedRecipient, { steps }: PlannedContent, stand: Stand): Call[] {
  const to = { chatId: remoteChatId(chatOf(recipient)) };
  const names = new Map<string, string>();
  const unnamed = ({ key, ...bucket }: RateBucket): RateBucket => {
    const name = names.get(key) ?? String(names.size);
    names.set(key, name);
    return { key: name, ...bucket };
  };
  const calls = steps.map((step): Call => {
    const { cost = 1, buckets } = stand.rate(step, to);
    const own = buckets.filter(({ scope }) => scope === 'chat').map(unnamed);
    return { cost, isPart: true, own, shared: buckets.filter(({ scope }) => scope !== 'chat') };
  });
  return opensChat(recipient, steps[0], stand)
    ? [{ cost: 1, isPart: false, own: [], shared: [] }, ...calls]
    : calls;
}

/** Follows the same rule as `findTarget`. */
function opensChat({ address }: RehearsedRecipient, first: PartStep | undefined, { live }: Stand): boolean {
  if (address === null || live?.adapter.openDirect === undefined) return false;
  return first === undefined || live.adapter.writesToAddress?.(first, address) !== true;
}
