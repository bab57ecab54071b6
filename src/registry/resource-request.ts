import type { DeleteOptions, RequestScope, WriteOptions } from './registry.ts';
import type { StoredResource } from './stored-resource.ts';

/** A request for objects of one resource, with all that answers it. */
export interface ResourceRequest {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
}

/** One that creates, updates or patches. */
export interface WriteRequest extends ResourceRequest {
  readonly options: WriteOptions;
}

/** One that deletes. */
export interface DeleteRequest extends ResourceRequest {
  readonly options: DeleteOptions;
}
