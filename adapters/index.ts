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

/** Builds the envelope of a message from a sandbox address. */
export { messageEnvelope as sandboxMessageEnvelope } from './sandbox/inbound/decode.js';

/** The properties of a platform that are known without a connection. */
export type DescribedPlatform = Pick<AnyAdapterDefinition, 'platform' | 'displayName' | 'capabilities'>;

/** Definitions of the bundled adapters, for code that runs without a service. */
export const bundledDefinitions: readonly DescribedPlatform[] = [
  telegramDefinition,
  discordDefinition,
  slackDefinition,
  smsDefinition,
  sandboxDefinition,
];

/** Container modules of the bundled adapters. Only this file and `simulators.ts` list all platforms. */
export const bundledAdapters: readonly ContainerModule[] = [
  telegramModule,
  discordModule,
  slackModule,
  smsModule,
  sandboxModule,
];
