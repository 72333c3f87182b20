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

describe('A defect of the service', () => {
  it('is reported with the id of the request', () => {
    expect(explain(new ApiError(500, {}, undefined, 'r-1')).advice).toBe(
      'Try again. If it stays, give your administrator the request id r-1.',
    );
  });

  it('names no id when the answer has none, as that of a proxy', () => {
    expect(explain(new ApiError(502)).advice).toBe('Reload the page. What you typed is kept.');
  });
});
