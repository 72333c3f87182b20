import { z } from 'zod';
import { requireManaging } from '../../../core/access/roles.js';
import { uuid } from '../../../core/schema/scalars.js';

/** What routes of the dashboard's own interface have in common: no scope of a key opens them. */
export const dashboard = { tag: 'Dashboard', scopes: [], oauth: null, dashboard: true } as const;

/** For owners and admins. */
export const managing = { ...dashboard, admits: requireManaging };

export const idParams = z.object({ id: uuid });
