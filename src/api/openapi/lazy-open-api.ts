import { once } from '../../meta/memoize.ts';
import { lazyModule } from '../../package/lazy-module.ts';
import type { handleOpenApi, OpenApi } from './handle-open-api.ts';

/** Loaded on demand: with all descriptions it is a fifth of the server's code. */
const loadHandlers = lazyModule(() => import('./handle-open-api.ts'));

/** The handlers of OpenAPI, loaded after the start or by the first request. */
export function lazyOpenApi(...options: Parameters<typeof handleOpenApi>): OpenApi {
  const handlers = once(async (): Promise<OpenApi> => (await loadHandlers()).handleOpenApi(...options));
  return {
    version2: async (exchange) => (await handlers()).version2(exchange),
    index: async (exchange) => (await handlers()).index(exchange),
    version3: async (exchange) => (await handlers()).version3(exchange),
  };
}
