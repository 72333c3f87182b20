/** What a connection does with an unknown outcome. */
export type UncertainPolicy = 'reconcile' | 'hold' | 'retry';
