/** Everything an adapter may know. The public entry point of the package for plugin authors. */
export * from './abort.js';
export * from './adapter.js';
export * from './capabilities.js';
export * from './clock.js';
export * from './content.js';
export * from './envelope.js';
export * from './errors.js';
export * from './events.js';
export * from './host.js';
export * from './ids.js';
export * from './json.js';
export * from './media.js';
export * from './module.js';
export * from './operations.js';
export * from './rates.js';
export * from './secret.js';
export * from './text/index.js';
