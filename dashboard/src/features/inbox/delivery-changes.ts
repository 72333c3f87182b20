import { useMutation } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { showError } from '../../kit/toast';
import type { Delivery } from './live-messages';

/** Whether the delivery can be retried. */
export const canRetry = ({ status }: Delivery): boolean => status === 'failed' || status === 'expired';

export const isUncertain = ({ status }: Delivery): boolean => status === 'uncertain';

/** Retries a delivery. */
export function useRetryDelivery() {
  return useMutation({
    mutationFn: (id: string) =>
      must(api.POST('/openapi/deliveries/{id}/retry', { params: { path: { id } } })),
    onError: showError,
  });
}

/** Resolves a delivery with an uncertain result. */
export function useResolveDelivery() {
  return useMutation({
    mutationFn: ({ id, outcome }: { readonly id: string; readonly outcome: 'sent' | 'failed' }) =>
      must(api.POST('/openapi/deliveries/{id}/resolve', { params: { path: { id } }, body: { outcome } })),
    onError: showError,
  });
}
