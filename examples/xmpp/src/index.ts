import { adapterModule } from 'trunkline';
import { xmppDefinition } from './definition.js';

/** Adds XMPP to the registry of platforms. */
export default adapterModule(xmppDefinition);
