import type { ContainerModule } from 'inversify';
import type { AnyAdapterDefinition } from '../src/contract/index.js';
import { discordDefinition } from './discord/definition.js';
import { discordModule } from './discord/module.js';
import { sandboxDefinition } from './sandbox/definition.js';
import { sandboxModule } from './sandbox/module.js';
import { slackDefinition } from './slack/definition.js';
import { slackModule } from './slack/module.js';
import { smsDefinition } from './sms/definition.js';
import { smsModule } from './sms/module.js';
import { telegramDefinition } from './telegram/definition.js';
import { telegramModule } from './telegram/module.js';

/** Writes what people at sandbox addresses send. */
export { messageEnvelope as sandboxMessageEnvelope } from './sandbox/inbound/decode.js';

/** A platform as it can be described without a connection. */
export type DescribedPlatform = Pick<AnyAdapterDefinition, 'platform' | 'displayName' | 'capabilities'>;

/** What those adapters are, for who wants to know it without a service. */
export const bundledDefinitions: readonly DescribedPlatform[] = [
  telegramDefinition,
  discordDefinition,
  slackDefinition,
  smsDefinition,
  sandboxDefinition,
];

/** The adapters that come with the bridge. The only list of platforms there is. */
export const bundledAdapters: readonly ContainerModule[] = [
  telegramModule,
  discordModule,
  slackModule,
  smsModule,
  sandboxModule,
];
