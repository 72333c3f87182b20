/**
 * The trace that accepted a message, in the format of the `traceparent` header (W3C Trace Context). The process that
 * delivers the message continues it.
 */
export interface TraceStore {
  keep(resourceId: string, workspaceId: string, traceparent: string): Promise<void>;
  find(resourceId: string): Promise<string | undefined>;
}
