/** What a simulator is made of. The second public entry of the contract: production code never loads it. */
export * from './faults.js';
export * from './form.js';
export * from './ledger.js';
export * from './outlet.js';
export * from './server.js';
export * from './simulator.js';
export * from './waits.js';
