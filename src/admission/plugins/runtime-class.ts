import { andThen } from '../../async/and-then.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Lister, ListerOf } from '../../meta/lister.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import {
  isSet,
  makeObjectAt,
  objectAt,
  objectsAt,
  sameValue,
  stringAt,
  stringEntriesAt,
} from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';
import { mergeTolerations, refuseTooMany } from '../tolerations.ts';

type RuntimeClasses = Lister<JsonObject>;

/**
 * Sets overhead and scheduling of a new Pod from its runtime class (spec 4.10). A Pod must not
 * set a different overhead, or any without a class.
 */
export function runtimeClass(identifiers: Identifiers, listerOf: ListerOf): AdmissionPlugin {
  const group = `node.${identifiers.apiDomain}`;
  const classes = listerOf({ group, resource: 'runtimeclasses', read: (object) => object });
  return {
    name: 'RuntimeClass',
    operations: ['CREATE'],
    resources: ['pods'],
    mutate(attributes) {
      const { object } = attributes;
      const isNewPod = isWriteTo(attributes, '', 'pods', 'CREATE');
      return object && isNewPod ? completePod(attributes, object, classes) : undefined;
    },
    validate(attributes) {
      const { object } = attributes;
      const isNewPod = isWriteTo(attributes, '', 'pods', 'CREATE');
      const isChecked = object && isNewPod && isSet(objectAt(object, 'spec'), 'overhead');
      return isChecked ? checkOverhead(attributes, object, classes) : undefined;
    },
  };
}

function completePod(attributes: AdmissionAttributes, pod: JsonObject, classes: RuntimeClasses): MaybePromise<void> {
  const spec = makeObjectAt(pod, 'spec');
  const name = stringAt(spec, 'runtimeClassName');
  if (name === '') return undefined;
  return andThen(classes.get('', name, attributes.signal), (found) => {
    if (!found) throw forbidden(attributes, `pod rejected: RuntimeClass "${name}" not found`);
    setOverhead(attributes, spec, overheadOf(found));
    setScheduling(attributes, spec, objectAt(found, 'scheduling'));
  });
}

async function checkOverhead(attributes: AdmissionAttributes, pod: JsonObject, classes: RuntimeClasses): Promise<void> {
  const name = stringAt(objectAt(pod, 'spec'), 'runtimeClassName');
  const found = name === '' ? undefined : await classes.get('', name, attributes.signal);
  if (Object.keys(overheadOf(found)).length > 0) return;
  throw forbidden(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
}

function overheadOf(found: JsonObject | undefined): JsonObject {
  return objectAt(found ?? {}, 'overhead', 'podFixed');
}

function setOverhead(attributes: AdmissionAttributes, spec: JsonObject, overhead: JsonObject): void {
  const given = isSet(spec, 'overhead');
  if (Object.keys(overhead).length === 0) return;
  if (given && !sameValue(spec['overhead'], overhead)) {
    throw forbidden(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  spec['overhead'] = { ...overhead };
}

function setScheduling(attributes: AdmissionAttributes, spec: JsonObject, scheduling: JsonObject): void {
  for (const [key, value] of stringEntriesAt(scheduling, 'nodeSelector')) {
    const selector = makeObjectAt(spec, 'nodeSelector');
    const own = isSet(selector, key) ? stringAt(selector, key) : value;
    if (own !== value) {
      throw forbidden(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    }
    selector[key] = value;
  }
  addTolerations(attributes, spec, objectsAt(scheduling, 'tolerations'));
}

function addTolerations(attributes: AdmissionAttributes, spec: JsonObject, added: readonly JsonObject[]): void {
  if (added.length === 0) return;
  const own = objectsAt(spec, 'tolerations');
  refuseTooMany(attributes, own.length + added.length);
  spec['tolerations'] = structuredClone([...mergeTolerations(own, added)]);
}
