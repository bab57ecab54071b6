import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
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
export function podSecretFault(spec: JsonObject, account: KnownAccount): string {
  const isUnknown = unknownTo(account);
  const volume = objectsAt(spec, 'volumes')
    .map((one) => stringAt(objectAt(one, 'secret'), 'secretName'))
    .find(isUnknown);
  if (volume !== undefined) return `volume with ${unreferenced(volume, account)}`;
  for (const [list, kind] of containerLists) {
    const fault = containersFault(objectsAt(spec, list), kind, account);
    if (fault !== '') return fault;
  }
  return pullSecretFault(spec, account);
}

/** The same for the ephemeral containers of a Pod, which are added by updates. */
export function ephemeralSecretFault(spec: JsonObject, account: KnownAccount): string {
  return containersFault(objectsAt(spec, 'ephemeralContainers'), 'ephemeral container', account);
}

function containersFault(containers: readonly JsonObject[], kind: string, account: KnownAccount): string {
  const isUnknown = unknownTo(account);
  for (const container of containers) {
    const name = `${kind} ${stringAt(container, 'name')}`;
    for (const variable of objectsAt(container, 'env')) {
      const secret = stringAt(objectAt(variable, 'valueFrom', 'secretKeyRef'), 'name');
      const which = `envVar ${stringAt(variable, 'name')}`;
      if (isUnknown(secret)) return `${name} with ${which} referencing ${unreferenced(secret, account)}`;
    }
    for (const source of objectsAt(container, 'envFrom')) {
      const secret = stringAt(objectAt(source, 'secretRef'), 'name');
      if (isUnknown(secret)) return `${name} with envFrom referencing ${unreferenced(secret, account)}`;
    }
  }
  return '';
}

function pullSecretFault(spec: JsonObject, { name, imagePullSecrets }: KnownAccount): string {
  const used = objectsAt(spec, 'imagePullSecrets').map((reference) => stringAt(reference, 'name'));
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
