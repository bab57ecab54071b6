import type { ConnectionSettings } from '../config/connection-settings.ts';
import { openCredentials } from './open-credentials.ts';

/** Returns a function that gives the Authorization header of a request; undefined without one. */
export function authorizationHeader(settings: ConnectionSettings): () => Promise<string | undefined> {
  const source = openCredentials(settings);
  return async () => (await source.get()).authorization;
}
