import { isNonStatusResponse, StatusError } from '../../client/error-of-response.ts';
import type { Manifest } from './read-manifests.ts';

/**
 * Awaits a request about an object, which may be one of a file. A refusal of the server names the
 * file and what was being done: `error when creating "app.yaml": ...`.
 */
export async function namingFile<Result>(
  manifest: Pick<Manifest, 'file'> | undefined,
  doing: string,
  request: Promise<Result>,
): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    const isNonStatus: boolean = isNonStatusResponse(error);
    if (!manifest || isNonStatus || !(error instanceof StatusError) || error.code === 0) throw error;
    const { status, retryAfterMs } = error;
    const message = `error when ${doing} "${manifest.file}": ${status.message ?? ''}`;
    throw new StatusError({ ...status, message }, { cause: error, ...(retryAfterMs ? { retryAfterMs } : {}) });
  }
}
