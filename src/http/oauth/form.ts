import { isUtf8 } from 'node:buffer';
import type { Parameters } from '../../core/oauth/authorization-request.js';
import { OAuthFault } from './fault.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Maximum size of a form. */
export const formBytes = 65_536;

/** The fields of a form in their order. Raises OAuthFault for any other content type, and for invalid UTF-8. */
export function readFields(body: unknown, contentType: string | undefined): Parameters {
  if (contentType === undefined || !FORM_TYPE.test(contentType)) {
    throw new OAuthFault('invalid_request', 'Expected Content-Type: application/x-www-form-urlencoded.');
  }
  if (!Buffer.isBuffer(body)) return [];
  if (!isUtf8(body)) throw new OAuthFault('invalid_request', 'Expected UTF-8.');
  return [...new URLSearchParams(body.toString())];
}

/** The fields as an object. An empty field counts as absent. A repeated field is refused. */
export function readForm(body: unknown, contentType: string | undefined): Record<string, string> {
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of readFields(body, contentType)) {
    if (name in form) throw new OAuthFault('invalid_request', `Expected ${name.slice(0, 64)} once.`);
    form[name] = value;
  }
  for (const [name, value] of Object.entries(form)) if (value === '') delete form[name];
  return form;
}

/** The value of a required field. Raises OAuthFault if it is absent. */
export function required(form: Readonly<Record<string, string>>, name: string): string {
  const value = form[name];
  if (value === undefined) throw new OAuthFault('invalid_request', `${name} is required.`);
  return value;
}
