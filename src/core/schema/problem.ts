import type { z } from 'zod';

export function problem(context: z.RefinementCtx, field: string, code: string, message: string): void {
  context.addIssue({ code: 'custom', path: [field], message, params: { code } });
}
