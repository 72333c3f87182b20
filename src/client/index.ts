/** The client library: the package `@trunkline/client`, and `trunkline/client` of the service's own package. Runs in Node and in browsers. */

export { type ErrorParts, type LocalCode, TrunklineError } from './error.js';
export type { StreamOptions } from './event-stream.js';
export type { EventData, EventName, EventSelector, StreamGap, TrunklineEvent } from './events.js';
export type { Answer, BodyOf, Form, Id, ListOf, RecordOf, Schemas } from './operations.js';
export type { CallOptions, Query, TrunklineOptions, Version } from './options.js';
export type { OutgoingMessage } from './outgoing-message.js';
export { Paged, type PagePosition } from './paged.js';
export { Trunkline } from './trunkline.js';
export { type ReceivedHeaders, type VerifyOptions, verifyWebhook } from './webhook.js';

import type { RecordOf } from './operations.js';

export type Message = RecordOf<'Message'>;
export type Conversation = RecordOf<'Conversation'>;
export type User = RecordOf<'User'>;
export type Call = RecordOf<'Call'>;
export type Broadcast = RecordOf<'Broadcast'>;
export type Delivery = RecordOf<'Delivery'>;
export type Connection = RecordOf<'Connection'>;
export type Webhook = RecordOf<'Webhook'>;
export type Location = RecordOf<'Location'>;
