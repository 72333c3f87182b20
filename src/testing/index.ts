/** The conformance kit, with which adapter authors test adapters against the contract. A public entry of the package. */
export { conformance, describeConformance, type TestRunner } from './conformance.js';
export type {
  ConformanceKit,
  ConformanceOptions,
  ConformanceStore,
  PinnedEnvelope,
  ReceivedEvent,
  RenderedPart,
  WebhookSignature,
} from './kit.js';
export { defineKit } from './kit.js';
export {
  type CheckResult,
  type ConformanceReport,
  markdownReport,
  printedReport,
  type UnprovedCell,
} from './report.js';
