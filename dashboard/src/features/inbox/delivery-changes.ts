import { useMutation } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import { showError } from '../../kit/toast';
import type { Delivery } from './live-messages';

/** Whether another attempt can be asked for. */
export const canRetry = ({ status }: Delivery): boolean => status === 'failed' || status === 'expired';

export const isUncertain = ({ status }: Delivery): boolean => status === 'uncertain';

/** Tries a delivery again. */
export function useRetryDelivery() {
  return useMutation({
    mutationFn: (id: string) =>
      must(api.POST('/openapi/deliveries/{id}/retry', { params: { path: { id } } })),
    onError: showError,
  });
}

/** Says what became of a delivery whose arrival is uncertain. */
export function useResolveDelivery() {
  return useMutation({
    mutationFn: ({ id, outcome }: { readonly id: string; readonly outcome: 'sent' | 'failed' }) =>
      must(api.POST('/openapi/deliveries/{id}/resolve', { params: { path: { id } }, body: { outcome } })),
    onError: showError,
  });
}
