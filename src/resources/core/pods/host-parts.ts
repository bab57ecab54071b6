import type { PodSpec } from '../../../gen/stored/core-v1.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { forbidden, tooLong } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { eachContainer } from './os.ts';

/** Checks that a pod in its own user namespace shares no other namespace with the host. */
export function checkHostUsers(spec: FieldCursor<PodSpec>, emulated: EmulatedRelease): void {
  const { hostUsers = true, hostNetwork, hostPID, hostIPC } = spec.value;
  if (hostUsers) return;
  const isLater = isSince(emulated.release, '1.35');
  const when = isLater ? 'when `hostUsers` is false' : 'when `pod.Spec.HostUsers` is false';
  // Since release 1.35 the network may be shared if nodes support it.
  if (hostNetwork && !emulated.isFeatureEnabled('UserNamespacesHostNetworkSupport')) {
    spec.at('hostNetwork').reportForbidden(when);
  }
  // kube-apiserver writes these names with a capital letter.
  if (hostPID) spec.report(forbidden(`${spec.path}.HostPID`, when));
  if (hostIPC) spec.report(forbidden(`${spec.path}.HostIPC`, when));
  if (!isLater) return;
  for (const container of eachContainer(spec)) {
    if (container.value.volumeDevices?.length) container.at('volumeDevices').reportForbidden(when);
  }
}

/** Maximum length of a host name on Linux. */
const hostnameLimit = 64;

/** Checks the host name that overrides the pod's name. */
export function checkHostnameOverride(spec: FieldCursor<PodSpec>): void {
  const name = spec.at('hostnameOverride');
  if (!name.isPresent()) return;
  const { setHostnameAsFQDN, hostNetwork } = spec.value;
  if (setHostnameAsFQDN) name.reportForbidden('may not be specified when setHostnameAsFQDN is true');
  if (hostNetwork) name.reportForbidden('may not be specified when hostNetwork is true');
  if (name.value.length > hostnameLimit) name.report(tooLong(name.path, hostnameLimit));
  name.report(...checkString(name.path, name.value, validateDnsSubdomain));
}
