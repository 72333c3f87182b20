import type { FastifyPluginAsync } from 'fastify';
import { invalidField } from '../../core/common/errors.js';
import { type ApiVersion, selectVersion } from '../../core/versions/api-version.js';
import { readTarget } from '../request-target.js';
import type { Route } from '../route.js';
import { describeApi } from './describe.js';

/** Serves the description of each version. A description is generated on its first request. */
export function descriptionPlugin(routes: readonly Route[], publicUrl: string): FastifyPluginAsync {
  const written = new Map<ApiVersion, string>();
  return async (server) => {
    server.route({
      method: ['GET', 'HEAD'],
      url: '/openapi.json',
      handler: async (request, reply) => {
        const { versions } = readTarget(request.raw.url ?? '');
        if (versions.length > 1) throw invalidField('version', 'duplicate', 'Expected this parameter once.');
        const version = selectVersion({
          path: undefined,
          query: versions,
          apiVersionHeader: undefined,
          acceptVersionHeader: undefined,
        });
        const text = written.get(version) ?? JSON.stringify(describeApi(routes, version, publicUrl));
        written.set(version, text);
        return reply.type('application/json; charset=utf-8').send(text);
      },
    });
  };
}
