/** The building blocks of simulators. This is the second public entry point of the contract. Production code never loads it. */
export * from './faults.js';
export * from './form.js';
export * from './ledger.js';
export * from './outlet.js';
export * from './server.js';
export * from './simulator.js';
export * from './waits.js';
