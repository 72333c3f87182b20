import { AppError, type FieldProblem } from '../common/errors.js';

export const apiVersions = ['1.0', '2.0'] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** The parts of a request that may name an API version. */
export interface VersionSelectors {
  /** The first path segment, if it is `v` and digits. */
  readonly path: string | undefined;
  readonly query: readonly string[];
  readonly apiVersionHeader: string | undefined;
  readonly acceptVersionHeader: string | undefined;
}

const NAMES: Readonly<Record<string, ApiVersion>> = {
  '1': '1.0',
  '1.0': '1.0',
  v1: '1.0',
  '2': '2.0',
  '2.0': '2.0',
  v2: '2.0',
};
const PATH_NAMES: Readonly<Record<string, ApiVersion>> = { v1: '1.0', v2: '2.0' };

/**
 * The effective version: path `/v2`, then query, `X-API-Version`, `Accept-Version`, path `/v1`, then 1.0.
 *
 * Throws `invalid_request` for an unknown value in any selector, even if another selector takes precedence.
 */
export function selectVersion(selectors: VersionSelectors): ApiVersion {
  const path = named(selectors.path, PATH_NAMES, '');
  const query = selectors.query.map((value) => named(value, NAMES, 'version'))[0];
  const apiVersion = named(selectors.apiVersionHeader, NAMES, 'X-API-Version');
  const acceptVersion = named(selectors.acceptVersionHeader, NAMES, 'Accept-Version');
  if (path === '2.0') return path;
  return query ?? apiVersion ?? acceptVersion ?? '1.0';
}

function named(
  value: string | undefined,
  names: Readonly<Record<string, ApiVersion>>,
  field: string,
): ApiVersion | undefined {
  if (value === undefined) return undefined;
  const version = Object.hasOwn(names, value) ? names[value] : undefined;
  if (version !== undefined) return version;
  const message = `Unknown version; supported are ${apiVersions.join(', ')}.`;
  const problem: FieldProblem = { field, code: 'invalid_value', message };
  throw new AppError('invalid_request', message, { fields: [problem], supported: [...apiVersions] });
}
