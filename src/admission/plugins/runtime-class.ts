import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import type { Lister } from '../../meta/lister.ts';
import type { Pod, PodSpec, Toleration } from '../../gen/stored/core-v1.ts';
import type { RuntimeClass, Scheduling } from '../../gen/stored/node-v1.ts';
import { getOwn } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo, type ObjectWrite } from '../is-write-to.ts';
import { mergeTolerations, refuseTooMany } from '../tolerations.ts';

type RuntimeClasses = Lister<RuntimeClass>;

/**
 * Sets overhead and scheduling of a new Pod from its runtime class (spec 4.10). A Pod must not
 * set a different overhead, or any without a class.
 */
export function runtimeClass({ identifiers, listerOf }: PluginContext): AdmissionPlugin {
  const group = `node.${identifiers.apiDomain}`;
  const classes = listerOf({ group, resource: 'runtimeclasses', read: (object: RuntimeClass) => object });
  return {
    name: 'RuntimeClass',
    operations: ['CREATE'],
    resources: ['pods'],
    mutate(attributes) {
      return isWriteTo(attributes, '', 'pods', 'CREATE') ? completePod(attributes, classes) : undefined;
    },
    validate(attributes) {
      const isChecked = isWriteTo(attributes, '', 'pods', 'CREATE') && attributes.object.spec.overhead;
      return isChecked ? checkOverhead(attributes, classes) : undefined;
    },
  };
}

function completePod(attributes: ObjectWrite<Pod>, classes: RuntimeClasses): MaybePromise<void> {
  const { spec } = attributes.object;
  const name = spec.runtimeClassName;
  if (!name) return undefined;
  return andThen(classes.get('', name, attributes.signal), (found) => {
    if (!found) throw forbidden(attributes, `pod rejected: RuntimeClass "${name}" not found`);
    setOverhead(attributes, spec, overheadOf(found));
    setScheduling(attributes, spec, found.scheduling);
  });
}

async function checkOverhead(attributes: ObjectWrite<Pod>, classes: RuntimeClasses): Promise<void> {
  const name = attributes.object.spec.runtimeClassName;
  const found = name ? await classes.get('', name, attributes.signal) : undefined;
  if (Object.keys(overheadOf(found)).length > 0) return;
  throw forbidden(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
}

function overheadOf(found: RuntimeClass | undefined): Record<string, string> {
  return found?.overhead?.podFixed ?? {};
}

function setOverhead(attributes: AdmissionAttributes, spec: PodSpec, overhead: Record<string, string>): void {
  if (Object.keys(overhead).length === 0) return;
  if (spec.overhead && !sameValue(spec.overhead, overhead)) {
    throw forbidden(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  spec.overhead = { ...overhead };
}

function setScheduling(attributes: AdmissionAttributes, spec: PodSpec, scheduling: Scheduling | undefined): void {
  for (const [key, value] of Object.entries(scheduling?.nodeSelector ?? {})) {
    const selector = (spec.nodeSelector ??= {});
    const own = getOwn(selector, key) ?? value;
    if (own !== value) {
      throw forbidden(
        attributes,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    }
    selector[key] = value;
  }
  addTolerations(attributes, spec, scheduling?.tolerations ?? []);
}

function addTolerations(attributes: AdmissionAttributes, spec: PodSpec, added: readonly Toleration[]): void {
  if (added.length === 0) return;
  const own = spec.tolerations ?? [];
  refuseTooMany(attributes, own.length + added.length);
  spec.tolerations = structuredClone([...mergeTolerations(own, added)]);
}
