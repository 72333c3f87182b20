import type { DeliveryMove } from '../../core/deliveries/task.js';

/** A move of a delivery in the form of the database type `delivery_move`. */
export type DeliveryMoveRow = Omit<DeliveryMove, 'from' | 'to'> & {
  readonly was: DeliveryMove['from'];
  readonly becomes: DeliveryMove['to'];
  /** Whether the move sets the error, possibly to null. */
  readonly judged: boolean;
};
