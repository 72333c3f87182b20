import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './errors';

export type ApiVersion = '1.0' | '2.0';

/** The part of a JSON schema that the dashboard shows. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export interface DescribedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface DescribedContent {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

export interface DescribedAnswer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, DescribedContent>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, DescribedContent>> };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-scopes-any-of'?: readonly string[];
}

/** The parts of the OpenAPI document that the dashboard shows. */
export interface ApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<DescribedOperation, 'requestBody'> }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The OpenAPI document of this service. It changes only with a release. */
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
