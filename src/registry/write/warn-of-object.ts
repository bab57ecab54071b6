import type { JsonObject } from '../../meta/json-value.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { RequestScope } from '../definition/registry.ts';

/** The first release that warns about the content of objects. */
const warnsSince = '1.24';

/** A write of a valid object. */
interface ValidWrite {
  readonly resource: StoredResource;
  readonly scope: RequestScope;
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

/** Sends the warnings of the kind about a valid object to the client. */
export function warnOfObject({ resource, scope, object, old }: ValidWrite): void {
  const { emulated, identifiers, subresource } = scope;
  const { warnings } = resource.info;
  if (!warnings || !isSince(emulated.release, warnsSince)) return;
  for (const text of warnings(object, { emulated, identifiers, subresource, old })) scope.warn(text);
}
