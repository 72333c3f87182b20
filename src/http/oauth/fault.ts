/** Errors of RFC 6749 that clients of the token, revocation and introspection endpoints can receive. */
export const tokenErrors = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;
export type TokenError = (typeof tokenErrors)[number];

/** An error of a client at one of the form endpoints. */
export class OAuthFault extends Error {
  override readonly name = 'OAuthFault';

  constructor(
    readonly error: TokenError,
    message: string,
  ) {
    super(message);
  }

  get status(): 400 | 401 {
    return this.error === 'invalid_client' ? 401 : 400;
  }
}

/** The body of an error, with the fields of RFC 6749 and the message that all errors of the service have. */
export function faultBody(error: string, message: string): object {
  return { error, error_description: message, message };
}
