import type { DeleteOptions, RequestScope, WriteOptions } from './registry.ts';
import type { StoredResource } from './stored-resource.ts';

/** A request for objects of one resource. */
export interface ResourceRequest {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
}

/** A create, update or patch. */
export interface WriteRequest extends ResourceRequest {
  readonly options: WriteOptions;
}

/** A delete. */
export interface DeleteRequest extends ResourceRequest {
  readonly options: DeleteOptions;
}
