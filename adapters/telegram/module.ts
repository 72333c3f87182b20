import { adapterModule } from '../../src/contract/index.js';
import { telegramDefinition } from './definition.js';

/** Contributes Telegram to the registry of platforms. */
export const telegramModule = adapterModule(telegramDefinition);
