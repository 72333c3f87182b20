/** Kinds of work that the service monitors for delays. */
export type LateWork = 'queue' | 'webhooks' | 'deliveries';

/** A fault of the installation, as the data of its event. */
export interface ServiceFault {
  readonly message: string;
  readonly work?: LateWork;
  readonly oldest_seconds?: number;
}
