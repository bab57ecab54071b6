import type {
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
} from '../../gen/stored/admissionregistration-v1.ts';
import type { ValidatingWebhookConfiguration } from '../../gen/stored/admissionregistration-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';

/** A decoded and validated object from a manifest file. */
export interface Manifest {
  readonly file: string;
  readonly resource: string;
  readonly kind: string;
  readonly object: JsonObject;
}

/**
 * Throws an Error if manifest objects break a rule that only applies to them: names must end with
 * `suffix` and be unique, and objects must not depend on stored objects.
 */
export function checkManifests(manifests: readonly Manifest[], suffix: string): void {
  const seen = new Map<string, string>();
  for (const manifest of manifests) {
    const name = nameOf(manifest.object);
    const problem = nameProblem(manifest, suffix, seen) || ownProblem(manifest, suffix);
    if (problem !== '') throw new Error(`error loading ${manifest.file}: ${problem}`);
    seen.set(`${manifest.resource}/${name}`, manifest.file);
  }
  for (const { resource, object } of manifests) {
    if (!resource.endsWith('policybindings')) continue;
    const { policyName = '' } = (object as MutatingAdmissionPolicyBinding).spec;
    if (seen.has(`${resource.replace(/policybindings$/, 'policies')}/${policyName}`)) continue;
    const [binding, policy] = [nameOf(object), policyName].map((name) => JSON.stringify(name));
    throw new Error(`binding ${binding} references policy ${policy} which does not exist in the manifest directory`);
  }
}

function nameProblem({ file, resource, object }: Manifest, suffix: string, seen: ReadonlyMap<string, string>): string {
  const name = nameOf(object);
  if (name === '') return `resource in file ${JSON.stringify(file)} must have a name`;
  const [shown, place] = [name, file].map((text) => JSON.stringify(text));
  if (!name.endsWith(suffix)) return `${shown} in file ${place} must have a name ending with ${JSON.stringify(suffix)}`;
  const earlier = seen.get(`${resource}/${name}`);
  if (earlier === undefined) return '';
  return `duplicate name ${shown} found in file ${place} (previously seen in ${JSON.stringify(earlier)})`;
}

function ownProblem(manifest: Manifest, suffix: string): string {
  const { resource } = manifest;
  if (resource.endsWith('policies')) return policyProblem(manifest);
  return resource.endsWith('policybindings') ? bindingProblem(manifest, suffix) : webhookProblem(manifest);
}

function policyProblem({ kind, object }: Manifest): string {
  const { paramKind } = (object as ValidatingAdmissionPolicy).spec;
  return paramKind
    ? `${kind} ${JSON.stringify(nameOf(object))}: spec.paramKind is not supported for static manifests`
    : '';
}

function bindingProblem({ object }: Manifest, suffix: string): string {
  const { policyName = '', paramRef } = (object as MutatingAdmissionPolicyBinding).spec;
  const binding = `binding ${JSON.stringify(nameOf(object))}`;
  if (policyName === '') return `${binding} must reference a policy (spec.policyName)`;
  if (!policyName.endsWith(suffix))
    return `${binding}: spec.policyName ${JSON.stringify(policyName)} must end with ${JSON.stringify(suffix)}`;
  return paramRef ? `${binding}: spec.paramRef is not supported for static manifests` : '';
}

/** The problem of a webhook that refers to a Service, which would depend on stored objects. */
function webhookProblem({ file, object }: Manifest): string {
  for (const { name, clientConfig } of (object as ValidatingWebhookConfiguration).webhooks ?? []) {
    const [webhook, owner, place] = [name, nameOf(object), file].map((text) => JSON.stringify(text));
    const at = `webhook ${webhook} in ${owner} (file ${place})`;
    if (clientConfig.service)
      return `${at}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
    if (!clientConfig.url) return `${at}: clientConfig.url is required for static manifests`;
  }
  return '';
}
