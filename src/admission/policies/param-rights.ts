import type {
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
} from '../../gen/stored/admissionregistration-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import type { Lister, ListerOf } from '../../meta/lister.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { UserInfo } from '../../meta/user-info.ts';
import { forbidden as forbiddenField } from '../../status/field-error.ts';
import { invalidObject } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import type { FindResource } from '../plugins/owner-references-permission-enforcement.ts';
import type { DecideRight } from '../resource-right.ts';

interface ParamRightsDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  readonly decide: DecideRight;
  readonly findResource: FindResource;
}

/** The kind of a policy's parameters. */
interface PolicyParams {
  readonly paramKind: ParamKind | undefined;
}

/** The resources of policies, by the resource of their bindings. */
const policiesOf: Readonly<Record<string, string>> = {
  mutatingadmissionpolicybindings: 'mutatingadmissionpolicies',
  validatingadmissionpolicybindings: 'validatingadmissionpolicies',
};

const policies: ReadonlySet<string> = new Set(Object.values(policiesOf));

/**
 * Requires the right to read the parameters of a policy or binding from users who write it, because
 * expressions reveal parameters in messages and audit records. Runs after validation and cannot be
 * disabled, because it is not a plugin.
 */
export function paramRights(dependencies: ParamRightsDependencies): AdmissionPlugin {
  const group = `admissionregistration.${dependencies.identifiers.apiDomain}`;
  const listers = new Map<string, Lister<PolicyParams>>();
  const listerFor = (resource: string): Lister<PolicyParams> => {
    const known = listers.get(resource) ?? dependencies.listerOf({ group, resource, read: readPolicy });
    listers.set(resource, known);
    return known;
  };
  return {
    name: 'PolicyParamRights',
    operations: ['CREATE', 'UPDATE'],
    resources: [...policies, ...Object.keys(policiesOf)],
    validate(attributes) {
      const { resource, subresource, user } = attributes;
      if (resource.group !== group || subresource !== '' || user.groups.includes('system:masters')) return undefined;
      if (policies.has(resource.resource)) return checkPolicy(dependencies, attributes);
      const policyResource = policiesOf[resource.resource];
      return policyResource === undefined
        ? undefined
        : checkBinding(dependencies, attributes, listerFor(policyResource));
    },
  };
}

function readPolicy({ spec }: ValidatingAdmissionPolicy): PolicyParams {
  return { paramKind: spec.paramKind };
}

async function checkPolicy(
  { decide, findResource }: ParamRightsDependencies,
  attributes: AdmissionAttributes,
): Promise<void> {
  const [policy, old] = [attributes.object, attributes.oldObject] as readonly (ValidatingAdmissionPolicy | undefined)[];
  const kind = policy?.spec.paramKind;
  if (!kind || (old && sameValue(kind, old.spec.paramKind))) return;
  const right = { ...resourceOf(findResource, kind), verb: 'get', namespace: '*', name: '*' };
  const { isAllowed } = await decide({ ...right, user: attributes.user });
  if (isAllowed) return;
  const objects = `all objects of the referenced paramKind (kind=${kind.kind}, apiVersion=${kind.apiVersion})`;
  throw refusal(attributes, 'spec.paramKind', `${shownUser(attributes.user)} must have "get" permission on ${objects}`);
}

async function checkBinding(
  { decide, findResource }: ParamRightsDependencies,
  attributes: AdmissionAttributes,
  lister: Lister<PolicyParams>,
): Promise<void> {
  const [binding, old] = [attributes.object, attributes.oldObject] as readonly (
    | MutatingAdmissionPolicyBinding
    | undefined
  )[];
  const ref = binding?.spec.paramRef;
  if (!ref || (old && isSameRef(binding, old))) return;
  const policy = await lister.get('', binding.spec.policyName ?? '', attributes.signal);
  const verb = verbFor(attributes, ref);
  const resource = policy?.paramKind ? resourceOf(findResource, policy.paramKind) : anyResource;
  const { namespace = '', name = '' } = ref;
  const { isAllowed } = await decide({ ...resource, verb, namespace, name, user: attributes.user });
  if (isAllowed) return;
  const why = `does not have "${verb}" permission on the object referenced by paramRef`;
  throw refusal(attributes, 'spec.paramRef', `${shownUser(attributes.user)} ${why}`);
}

/**
 * The verb of the right: `list` for a selector in a binding of mutating policies, otherwise `get`.
 */
function verbFor({ resource }: AdmissionAttributes, { name = '' }: ParamRef): string {
  return name === '' && resource.resource === 'mutatingadmissionpolicybindings' ? 'list' : 'get';
}

function isSameRef({ spec }: MutatingAdmissionPolicyBinding, { spec: old }: MutatingAdmissionPolicyBinding): boolean {
  return spec.policyName === old.policyName && sameValue(spec.paramRef, old.paramRef);
}

const anyResource = { apiGroup: '*', apiVersion: '*', resource: '*', subresource: '' };

/** The resource of a kind; all resources of its version if the kind is not served. */
function resourceOf(findResource: FindResource, { apiVersion = '', kind = '' }: ParamKind): typeof anyResource {
  const parsed = parseApiVersion(apiVersion);
  if (!parsed) return anyResource;
  const resource = findResource(parsed.group, parsed.version, kind)?.resource ?? '*';
  return { apiGroup: parsed.group, apiVersion: parsed.version, resource, subresource: '' };
}

function shownUser({ username }: UserInfo): string {
  return `user ${JSON.stringify(username)}`;
}

function refusal(attributes: AdmissionAttributes, field: string, why: string): Error {
  const { kind, resource, object = {} } = attributes;
  const subject = { group: resource.group, resource: kind.kind };
  return invalidObject(subject, nameOf(object), [forbiddenField(field, why)]);
}
