import { adapterModule } from '../../src/contract/index.js';
import { discordDefinition } from './definition.js';

/** Contributes the Discord adapter to the container. */
export const discordModule = adapterModule(discordDefinition);
