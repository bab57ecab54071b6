import type { DeviceClaim, DeviceSubRequest, ExactDeviceRequest } from '../../../gen/stored/resource-v1.ts';

/** Sets the default allocation mode and count of a claim's requests. Mutates. */
export function defaultDeviceClaim({ requests }: DeviceClaim): void {
  for (const { exactly, firstAvailable = [] } of requests ?? []) {
    if (exactly) defaultMode(exactly);
    for (const alternative of firstAvailable) defaultMode(alternative);
  }
}

function defaultMode(request: ExactDeviceRequest | DeviceSubRequest): void {
  for (const toleration of request.tolerations ?? []) toleration.operator ||= 'Equal';
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ??= 1;
}
