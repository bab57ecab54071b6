import type { PodCertificateRequest } from '../../../gen/stored/certificates-v1beta1.ts';
import type { Pod } from '../../../gen/stored/core-v1.ts';
import { uidOf } from '../../../meta/object-meta.ts';
import type { Lister } from '../../../meta/lister.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { AdmissionAttributes, PluginContext } from '../../admission.ts';

interface RunningPod {
  readonly uid: string;
  readonly nodeName: string;
  readonly serviceAccountName: string;
  readonly isMirror: boolean;
}

interface KnownUid {
  readonly uid: string;
}

/**
 * Checks a node's write of a PodCertificateRequest. Returns the error message; '' if it is allowed.
 */
export type PodCertificateError = (
  attributes: AdmissionAttributes<PodCertificateRequest>,
  nodeName: string,
) => Promise<string>;

/**
 * Creates the check: a node may request certificates only for pods that run on it, with the UIDs of
 * the pod, its service account and the node. A mismatch may be due to a stale cache, so the node
 * may try again.
 */
export function podCertificateError({ identifiers, listerOf }: PluginContext): PodCertificateError {
  const mirror = `${identifiers.labelDomain}/config.mirror`;
  const uids = (resource: string): Lister<KnownUid> =>
    listerOf({ group: '', resource, read: (object): KnownUid => ({ uid: uidOf(object) }) });
  const pods = listerOf({ group: '', resource: 'pods', read: (pod: Pod) => runningPod(pod, mirror) });
  const [nodes, accounts] = [uids('nodes'), uids('serviceaccounts')];
  return async ({ operation, subresource, object, namespace, signal }, nodeName) => {
    if (operation !== 'CREATE') return `unexpected operation ${operation}`;
    if (subresource !== '') return `unexpected subresource ${subresource}`;
    const { spec } = object ?? {};
    if (!spec) return '';
    const shown = (name: string): string => JSON.stringify(`${namespace}/${name}`);
    const request = `PodCertificateRequest for pod ${shown(spec.podName)}`;
    if (spec.nodeName !== nodeName) {
      return `PodCertificateRequest.Spec.NodeName=${JSON.stringify(spec.nodeName)}, which is not the requesting node ${JSON.stringify(nodeName)}`;
    }
    const node = await nodes.get('', nodeName, signal);
    if (node?.uid !== spec.nodeUID) {
      throw retryable(`${request} names node UID ${JSON.stringify(spec.nodeUID)}, inconsistent with the running node`);
    }
    const pod = await pods.get(namespace, spec.podName, signal);
    if (pod?.uid !== spec.podUID) {
      throw retryable(`${request} contains pod UID (${JSON.stringify(spec.podUID)}) which differs from running pod`);
    }
    const problem = runningError(spec, pod, { pod: shown(spec.podName), request });
    if (problem !== '') return problem;
    const account = await accounts.get(namespace, spec.serviceAccountName, signal);
    if (account?.uid === spec.serviceAccountUID) return '';
    const uid = JSON.stringify(spec.serviceAccountUID);
    throw retryable(`${request} names service account UID ${uid}, which differs from the running service account`);
  };
}

function runningError(
  { nodeName, serviceAccountName }: PodCertificateRequest['spec'],
  pod: RunningPod,
  shown: { readonly pod: string; readonly request: string },
): string {
  if (pod.nodeName !== nodeName) {
    return `pod ${shown.pod} is not running on node ${JSON.stringify(nodeName)} named in the PodCertificateRequest`;
  }
  if (pod.isMirror) return `pod ${shown.pod} is a mirror pod`;
  if (pod.serviceAccountName === serviceAccountName) return '';
  const [given, running] = [serviceAccountName, pod.serviceAccountName].map((name) => JSON.stringify(name));
  return `${shown.request} contains serviceAccountName (${given}) that differs from running pod (${running})`;
}

function runningPod({ metadata, spec }: Pod, mirror: string): RunningPod {
  return {
    uid: metadata.uid ?? '',
    nodeName: spec.nodeName ?? '',
    serviceAccountName: spec.serviceAccountName ?? '',
    isMirror: Object.hasOwn(metadata.annotations ?? {}, mirror),
  };
}

function retryable(message: string): StatusError {
  return new StatusError('InternalError', `Internal error occurred: ${message}`);
}
