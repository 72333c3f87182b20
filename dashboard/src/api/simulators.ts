import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, must } from './client';
import { usePermissions } from './session';

/** The simulated platforms of the service. Empty if it runs without simulators. */
export const simulatorsQuery = queryOptions({
  queryKey: ['simulators'],
  queryFn: async ({ signal }) => (await must(api.GET('/simulators', { signal }))).data,
});

/** Whether the member can act as people on simulated platforms. Undefined until it is known. */
export function useHasSimulators(): boolean | undefined {
  const { canManage } = usePermissions();
  const { data } = useQuery({ ...simulatorsQuery, enabled: canManage });
  return canManage ? data && data.length > 0 : false;
}
