import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './errors';

export type ApiVersion = '1.0' | '2.0';

/** The parts of the OpenAPI document that the dashboard shows. */
export interface ApiDocument {
  readonly webhooks: Readonly<Record<string, { readonly post: Receiver }>>;
}

interface Receiver {
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
}

/** The description of the API as this service serves it. It changes with a release only. */
export const apiDocumentQuery = (version: ApiVersion) =>
  queryOptions({
    queryKey: ['api-document', version],
    queryFn: async ({ signal }): Promise<ApiDocument> => {
      const answer = await fetch(`/openapi.json?version=${version}`, { signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new ApiError(0);
      });
      if (!answer.ok) throw new ApiError(answer.status);
      return (await answer.json()) as ApiDocument;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
