import { z } from 'zod';
import { requireManaging } from '../../../core/access/roles.js';
import { uuid } from '../../../core/schema/scalars.js';

/** What routes of the dashboard's own interface have in common: no scope of a key opens them. */
export const dashboard = { tag: 'Dashboard', scopes: [], oauth: null, dashboard: true } as const;

/** For owners and admins. */
export const managing = { ...dashboard, admits: requireManaging };

/** The same for changes that can end keys or tokens. */
export const revoking = { ...managing, endsCredentials: true };

export const idParams = z.object({ id: uuid });
