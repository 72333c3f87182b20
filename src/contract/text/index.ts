export * from './measure.js';
export * from './split.js';
