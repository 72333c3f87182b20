import { adapterModule } from '../../src/contract/index.js';
import { sandboxDefinition } from './definition.js';

/** Contributes the sandbox to the container. */
export const sandboxModule = adapterModule(sandboxDefinition);
