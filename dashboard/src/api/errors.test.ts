import { describe, expect, it } from 'vitest';
import { ApiError, explain } from './errors';

describe('What is forbidden', () => {
  it('is explained by the restriction to own teams where that is the reason', () => {
    const details = { required: ['all conversations'] };
    expect(explain(new ApiError(403, { details }))).toEqual({
      title: 'This belongs to the whole workspace',
      advice:
        'You see only the conversations of your teams. An owner or administrator of the workspace can lift that.',
    });
  });

  it('is explained by the role otherwise', () => {
    expect(explain(new ApiError(403, { details: { required: ['broadcasts:read'] } })).title).toBe(
      'Your role does not allow this',
    );
  });
});
