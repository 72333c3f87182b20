import { adapterModule } from '../../src/contract/index.js';
import { smsDefinition } from './definition.js';

/** Contributes the SMS adapter to the container. */
export const smsModule = adapterModule(smsDefinition);
