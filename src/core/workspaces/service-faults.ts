/** Work that the service looks after, of which the oldest can be late. */
export type LateWork = 'queue' | 'webhooks' | 'deliveries';

/** A fault of the installation, as the data of its event. */
export interface ServiceFault {
  readonly message: string;
  readonly work?: LateWork;
  readonly oldest_seconds?: number;
}
