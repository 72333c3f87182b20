/** What the screens for developers alone ask. `session-paths.ts` has the rest. */

/** The beginning of what a receiver answered to an attempt. */
interface WebhookAnswer {
  /** The time of the attempt. */
  readonly at: string;
  readonly text: string;
}

/** A member for whom an OAuth app acts. */
export interface AppGrant {
  readonly id: string;
  readonly user: { readonly id: string; readonly display_name: string };
  readonly scopes: string[];
  /** Unless the app uses it again. */
  readonly expires_at: string;
  readonly created_at: string;
}

interface ById {
  parameters: { path: { id: string } };
}

interface Json<T> {
  content: { 'application/json': T };
}

export interface DeveloperPaths {
  '/oauth-apps/{id}/grants': {
    get: {
      parameters: { path: { id: string }; query?: { limit?: number; cursor?: string } };
      responses: {
        200: Json<{ data: AppGrant[]; pagination: { readonly nextCursor: string | null } }>;
      };
    };
  };
  '/oauth-app-grants/{id}': { delete: ById & { responses: { 204: { content?: never } } } };
  '/webhook-deliveries/{id}/answers': {
    get: ById & { responses: { 200: Json<{ data: WebhookAnswer[] }> } };
  };
}
