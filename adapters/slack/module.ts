import { adapterModule } from '../../src/contract/index.js';
import { slackDefinition } from './definition.js';

export const slackModule = adapterModule(slackDefinition);
