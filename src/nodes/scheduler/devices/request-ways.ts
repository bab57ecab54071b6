import type { ResourceClaim } from '../../../controllers/resources.ts';
import type { ExactDeviceRequest } from '../../../gen/types/resource-v1.ts';

/** A request with its alternatives. */
export interface AlternativeRequest {
  readonly name: string;
  readonly ways: readonly { readonly request: string; readonly needs: ExactDeviceRequest }[];
}

/** The alternatives of a request. In versions before v1beta2 its fields are next to its name. */
export function requestOf(
  request: NonNullable<NonNullable<ResourceClaim['spec']['devices']>['requests']>[number],
): AlternativeRequest {
  const { name, exactly, firstAvailable = [] } = request;
  if (firstAvailable.length > 0) {
    const ways = firstAvailable.map((needs) => ({ request: `${name}/${needs.name}`, needs }));
    return { name, ways };
  }
  return { name, ways: [{ request: name, needs: exactly ?? (request as unknown as ExactDeviceRequest) }] };
}
