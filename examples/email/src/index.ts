import { adapterModule } from 'trunkline';
import { emailDefinition } from './definition.js';

/** Adds e-mail to the registry of platforms. */
export default adapterModule(emailDefinition);
