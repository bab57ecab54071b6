import type { PodSpec } from '../../../gen/stored/core-v1.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';
import type { KnownAccount } from './known-account.ts';

/** The lists of containers of a new Pod, and how messages name their items. */
const containerLists = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
] as const;

/**
 * The reason why a Pod may not use one of its secrets: its account does not have it; '' if there
 * is none. Messages as in kube-apiserver.
 */
export function podSecretFault(spec: PodSpec, account: KnownAccount): string {
  const isUnknown = unknownTo(account);
  const volume = (spec.volumes ?? []).map(({ secret }) => secret?.secretName ?? '').find(isUnknown);
  if (volume !== undefined) return `volume with ${unreferenced(volume, account)}`;
  for (const [list, kind] of containerLists) {
    const fault = containersFault(spec[list] ?? [], kind, account);
    if (fault !== '') return fault;
  }
  return pullSecretFault(spec, account);
}

/** The same for the ephemeral containers of a Pod, which are added by updates. */
export function ephemeralSecretFault(spec: PodSpec, account: KnownAccount): string {
  return containersFault(spec.ephemeralContainers ?? [], 'ephemeral container', account);
}

function containersFault(containers: readonly AnyContainer[], kind: string, account: KnownAccount): string {
  const isUnknown = unknownTo(account);
  for (const container of containers) {
    const name = `${kind} ${container.name}`;
    for (const variable of container.env ?? []) {
      const secret = variable.valueFrom?.secretKeyRef?.name ?? '';
      const which = `envVar ${variable.name}`;
      if (isUnknown(secret)) return `${name} with ${which} referencing ${unreferenced(secret, account)}`;
    }
    for (const source of container.envFrom ?? []) {
      const secret = source.secretRef?.name ?? '';
      if (isUnknown(secret)) return `${name} with envFrom referencing ${unreferenced(secret, account)}`;
    }
  }
  return '';
}

function pullSecretFault(spec: PodSpec, { name, imagePullSecrets }: KnownAccount): string {
  const used = (spec.imagePullSecrets ?? []).map((secret) => secret.name ?? '');
  const index = used.findIndex((secret) => !imagePullSecrets.includes(secret));
  if (index < 0) return '';
  const which = `imagePullSecrets[${index}].name="${used[index]}"`;
  return `${which} is not allowed because service account ${name} does not reference that imagePullSecret`;
}

/** Reports whether a secret is named, and not by the account. */
function unknownTo({ secrets }: KnownAccount): (secret: string) => boolean {
  const known = new Set(secrets);
  return (secret) => secret !== '' && !known.has(secret);
}

function unreferenced(secret: string, { name }: KnownAccount): string {
  return `secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
}
