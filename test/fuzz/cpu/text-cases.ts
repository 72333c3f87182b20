import { discordDefinition } from '../../../adapters/discord/definition.js';
import { plan as planDiscord } from '../../../adapters/discord/outbound/plan.js';
import { sandboxDefinition } from '../../../adapters/sandbox/definition.js';
import { planSandbox } from '../../../adapters/sandbox/outbound/plan.js';
import { slackDefinition } from '../../../adapters/slack/definition.js';
import { planOperation as planSlack } from '../../../adapters/slack/outbound/plan.js';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import { planSms } from '../../../adapters/sms/outbound/plan.js';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import { plan as planTelegram } from '../../../adapters/telegram/outbound/plan.js';
import {
  type Capabilities,
  type Content,
  type Operation,
  PlatformError,
  plainContent,
  remoteChatId,
} from '../../../src/contract/index.js';
import { AppError } from '../../../src/core/common/errors.js';
import { contentFromMarkdown } from '../../../src/core/formatting/markdown.js';
import { markdownTree } from '../../../src/core/formatting/markdown-tree.js';
import { readFilters } from '../../../src/core/listing/filter.js';
import { userList } from '../../../src/core/users/record.js';
import type { InboundCase } from './inbound-case.js';

/** The limit of a message in characters, and that of a path with its query in bytes. */
const MAX_CHARACTERS = 10_000;
const TARGET_BYTES = 8_192;

type Plan = (operation: Operation, capabilities: Capabilities) => unknown;

const planners: readonly (readonly [string, Plan, Capabilities])[] = [
  ['telegram', planTelegram, telegramDefinition.capabilities],
  ['slack', planSlack, slackDefinition.capabilities],
  ['discord', planDiscord, discordDefinition.capabilities],
  ['sms', planSms, smsDefinition.capabilities],
  ['sandbox', planSandbox, sandboxDefinition.capabilities],
];

const inCharacters = (text: string): string => text.slice(0, MAX_CHARACTERS);

/** A request that a client or person may not make is refused, which takes almost no time. */
function refusedOr(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof PlatformError || error instanceof AppError) return error;
    throw error;
  }
}

/** Parsed outside of the measurement, and once for all three tries. */
function planned(
  name: string,
  contentOf: (text: string) => Content,
  [platform, plan, able]: (typeof planners)[number],
) {
  const to = { chatId: remoteChatId('1') };
  const contents = new Map<string, Content>();
  return {
    name: `${platform} plan of ${name}`,
    largest: MAX_CHARACTERS * 4,
    read: (text: string) => {
      const content = contents.get(text) ?? contentOf(inCharacters(text));
      contents.clear();
      contents.set(text, content);
      return refusedOr(() => plan({ type: 'send', to, content }, able));
    },
  };
}

/** Texts of clients: parsing them, and rendering them for each platform. */
export const textCases: readonly InboundCase[] = [
  { name: 'markdown', largest: MAX_CHARACTERS * 4, read: (text) => markdownTree(inCharacters(text)) },
  { name: 'filter', largest: TARGET_BYTES, read: (text) => refusedOr(() => readFilters([text], userList)) },
  {
    name: 'filter value',
    largest: TARGET_BYTES,
    read: (text) => refusedOr(() => readFilters([`display_name:~${text}`], userList)),
  },
  ...planners.map((one) => planned('plain text', plainContent, one)),
  ...planners.map((one) => planned('Markdown', contentFromMarkdown, one)),
];
