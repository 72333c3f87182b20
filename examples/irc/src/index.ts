import { adapterModule } from 'trunkline';
import { ircDefinition } from './definition.js';

/** Adds IRC to the registry of platforms. */
export default adapterModule(ircDefinition);
