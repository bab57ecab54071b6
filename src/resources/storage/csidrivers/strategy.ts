import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { duplicate, type FieldError, notSupported } from '../../../status/field-error.ts';
import { checkEach } from '../../rules/fields/check.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkTokenLifetime } from '../../rules/fields/token-lifetime.ts';

/** Immutable fields of a driver, on which nodes depend, with the names that messages use. */
const fixed = [
  // kube-apiserver's message has this spelling.
  ['attachRequired', 'attachedRequired'],
  ['fsGroupPolicy', 'fsGroupPolicy'],
  ['podInfoOnMount', 'podInfoOnMount'],
  ['volumeLifecycleModes', 'volumeLifecycleModes'],
] as const;

/** The strategy of CSI drivers. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  validateCreate: validateDriver,
  validateUpdate: (driver, old) => {
    const [spec, oldSpec] = [objectAt(driver, 'spec'), objectAt(old, 'spec')];
    return fixed.flatMap(([name, shown]) => checkImmutable(`spec.${shown}`, getOwn(spec, name), getOwn(oldSpec, name)));
  },
  allowUnconditionalUpdate: false,
};

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];

/** All errors of a new driver. An update checks only the immutable fields. */
function validateDriver(driver: JsonObject): readonly FieldError[] {
  const spec = objectAt(driver, 'spec');
  const policy = stringAt(spec, 'fsGroupPolicy');
  return [
    ...stringsAt(spec, 'volumeLifecycleModes')
      .filter((mode) => !lifecycleModes.includes(mode))
      .map((mode) => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
    ...(!isSet(spec, 'fsGroupPolicy') || groupPolicies.includes(policy)
      ? []
      : [notSupported('spec.fsGroupPolicy', policy, groupPolicies)]),
    ...tokenErrors(objectsAt(spec, 'tokenRequests')),
  ];
}

/** Checks the token requests: one for each audience. */
function tokenErrors(requests: readonly JsonObject[]): readonly FieldError[] {
  const seen = new Set<string>();
  return checkEach('spec.tokenRequests', requests, (request, path) => {
    const audience = stringAt(request, 'audience');
    const errors = [
      ...(seen.has(audience) ? [duplicate(`${path}.audience`, audience)] : []),
      ...(isSet(request, 'expirationSeconds')
        ? checkTokenLifetime(`${path}.expirationSeconds`, numberAt(request, 'expirationSeconds') ?? 0)
        : []),
    ];
    seen.add(audience);
    return errors;
  });
}
