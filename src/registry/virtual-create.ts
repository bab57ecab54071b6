import type { JsonObject } from '../meta/json-value.ts';
import type { RequestScope, WriteOptions } from './registry.ts';

/**
 * Answers a create of a resource that is not stored (spec 2.1). For a question, the question comes in and the same object with its
 * answer goes out.
 */
export type VirtualCreate = (scope: RequestScope, object: JsonObject, options: WriteOptions) => Promise<JsonObject>;
