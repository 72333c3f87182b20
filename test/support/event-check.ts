import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { apiDocument } from '../../src/app/documents/api-document.js';
import type { ApiVersion } from '../../src/core/versions/api-version.js';
import { findEvent } from '../../src/core/webhooks/catalogue.js';
import { payloadName } from '../../src/http/openapi/webhooks.js';

/** Validates events against the schemas of the OpenAPI description. */

const judges = new Map<ApiVersion, Ajv2020>();
const checks = new Map<string, ValidateFunction>();

/** The defects of an event's payload, in either version. Frames of the stream alone, such as `stream.gap`, pass. */
export function problemsOfEvent(payload: Readonly<Record<string, unknown>> | undefined): string[] {
  const name = String(payload?.event);
  if (payload === undefined || findEvent(name) === undefined) return [];
  const check = checkFor(name, 'type' in payload ? '2.0' : '1.0');
  if (check(payload)) return [];
  return (check.errors ?? [])
    .filter(({ schemaPath }) => !schemaPath.includes('TruncatedEventData'))
    .map(
      ({ instancePath, message, params }) => `${name} ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
}

function checkFor(name: string, version: ApiVersion): ValidateFunction {
  const key = `${version} ${name}`;
  const ref = `api#/components/schemas/${payloadName(name)}`;
  const check = checks.get(key) ?? judgeOf(version).compile({ $ref: ref });
  checks.set(key, check);
  return check;
}

function judgeOf(version: ApiVersion): Ajv2020 {
  const known = judges.get(version);
  if (known !== undefined) return known;
  const judge = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(judge);
  judge.addSchema(apiDocument(version), 'api');
  judges.set(version, judge);
  return judge;
}
