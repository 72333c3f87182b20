/** The trace that accepted a message, for the process that delivers it: in the form of the header `traceparent` (W3C Trace Context). */
export interface TraceStore {
  keep(resourceId: string, workspaceId: string, traceparent: string): Promise<void>;
  find(resourceId: string): Promise<string | undefined>;
}
