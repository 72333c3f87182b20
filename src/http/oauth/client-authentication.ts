import basicAuth from 'basic-auth';
import { isClient } from '../../core/oauth/credentials.js';
import type { OAuthApp, OAuthClients } from '../../core/oauth/ports.js';
import { OAuthFault } from './fault.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Authenticates the app that sends a form, by HTTP Basic or by fields of the form. Raises OAuthFault. */
export async function authenticateApp(
  clients: OAuthClients,
  form: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Promise<OAuthApp> {
  const { id, secret } = authorization === undefined ? inForm(form) : inHeader(authorization, form);
  const app = id !== undefined && UUID.test(id) ? await clients.findByClientId(id.toLowerCase()) : undefined;
  if (app === undefined || !isClient(app, secret)) {
    throw new OAuthFault('invalid_client', 'Client authentication failed.');
  }
  return app;
}

interface Credentials {
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

function inForm({ client_id: id, client_secret: secret }: Readonly<Record<string, string>>): Credentials {
  return { id, secret };
}

/** RFC 6749, 2.3.1: both parts are form-encoded, and a client uses only one method of authentication. */
function inHeader(authorization: string, form: Readonly<Record<string, string>>): Credentials {
  const sent = basicAuth.parse(authorization);
  if (sent === undefined) return { id: undefined, secret: undefined };
  if (form.client_secret !== undefined) {
    throw new OAuthFault('invalid_request', 'Expected client authentication in one way only.');
  }
  const id = decode(sent.name);
  if (form.client_id !== undefined && form.client_id !== id) {
    throw new OAuthFault('invalid_request', 'Expected one client_id.');
  }
  const secret = decode(sent.pass);
  return { id, secret: secret === '' ? undefined : secret };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
