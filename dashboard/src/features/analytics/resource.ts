import { notFound } from '@tanstack/react-router';
import type { AnalyticsResource } from '../../api/analytics-paths';
import { MEASURES } from './series';

/** The resource in a path. Throws if it does not exist. */
export function readResource({ resource }: { resource: string }): { resource: AnalyticsResource } {
  if (!Object.hasOwn(MEASURES, resource)) throw notFound();
  return { resource: resource as AnalyticsResource };
}
