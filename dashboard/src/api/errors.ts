import { messages as t } from './messages';

interface ErrorBody {
  readonly error?: string;
  readonly message?: string;
  readonly details?: {
    readonly reason?: string;
    readonly required?: readonly string[];
    readonly fields?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
  };
}

/** An error response of the service. Status 0 means that no response arrived. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody = {},
    readonly retryAfterS?: number,
    readonly requestId?: string,
  ) {
    super(body.message ?? `status ${status}`);
  }

  /** The problem of each field of the request, by field name. */
  get fields(): Readonly<Record<string, string>> {
    const fields = this.body.details?.fields ?? [];
    return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
  }
}

export function errorOf(response: Response, body: unknown): ApiError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    typeof body === 'object' && body !== null ? (body as ErrorBody) : {},
    Number.isFinite(seconds) ? seconds : undefined,
    response.headers.get('x-request-id') ?? undefined,
  );
}

/** Describes the error and what the user can do. */
export function explain(error: unknown): { readonly title: string; readonly advice: string } {
  if (!(error instanceof ApiError)) return { title: t('failedTitle'), advice: t('failedAdvice') };
  const { status, message, retryAfterS = 60, requestId: id } = error;
  if (status === 0) return { title: t('offlineTitle'), advice: t('offlineAdvice') };
  if (status === 403 && isOfRestriction(error))
    return { title: t('ownTeamsTitle'), advice: t('ownTeamsAdvice') };
  if (status === 403) return { title: t('deniedTitle'), advice: t('deniedAdvice') };
  if (status === 404) return { title: t('goneTitle'), advice: t('goneAdvice') };
  if (status === 409) return { title: t('conflictTitle'), advice: `${message} ${t('conflictAdvice')}` };
  if (status === 429) return { title: t('limitTitle'), advice: t('limitAdvice', { seconds: retryAfterS }) };
  if (status === 503) return { title: t('busyTitle'), advice: t('busyAdvice') };
  if (status >= 500)
    return {
      title: t('defectTitle'),
      advice: id === undefined ? t('failedAdvice') : t('defectAdvice', { id }),
    };
  return { title: t('invalidTitle'), advice: message };
}

/** Whether the user is limited to conversations of their teams. A different role would not help then. */
const isOfRestriction = ({ body }: ApiError): boolean =>
  body.details?.required?.includes('all conversations') === true;
