import { once } from '../../meta/memoize.ts';
import { lateModule } from '../../package/late-module.ts';
import type { handleOpenApi, OpenApi } from './handle-open-api.ts';

/** With the descriptions of all messages, a fifth of the text of a server. */
const loadHandlers = lateModule(() => import('./handle-open-api.ts'));

/** The handlers of OpenAPI, which are loaded with the first request or after the start. */
export function lateOpenApi(...options: Parameters<typeof handleOpenApi>): OpenApi {
  const handlers = once(async (): Promise<OpenApi> => (await loadHandlers()).handleOpenApi(...options));
  return {
    version2: async (exchange) => (await handlers()).version2(exchange),
    index: async (exchange) => (await handlers()).index(exchange),
    version3: async (exchange) => (await handlers()).version3(exchange),
  };
}
