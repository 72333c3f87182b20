/** Adapters that are not started, since they ended the process again and again. */
export interface AdapterHolds {
  /**
   * Why the adapter may not serve a connection of this generation, and what a person can do. A later generation than the one
   * that was held back, as after a reconnect, releases the adapter.
   */
  heldBack(
    adapter: string,
    version: string,
    connectionId: string,
    generation: number,
  ): { readonly reason: string; readonly fix: string } | undefined;
}

/** For a process without a watchdog. */
export const nothingHeld: AdapterHolds = { heldBack: () => undefined };
