import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, makeObjectAt, objectAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { defaultClassFinder } from '../default-class.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Sets the default class in a new Ingress without a class (spec 4.10). The deprecated annotation
 * counts as a class. Ingresses of the group `extensions`, which is older than classes, get none.
 */
export function defaultIngressClass(identifiers: Identifiers, listerOf: ListerOf): AdmissionPlugin {
  const group = `networking.${identifiers.apiDomain}`;
  const oldAnnotation = `${identifiers.labelDomain}/ingress.class`;
  const defaultClass = defaultClassFinder(listerOf, {
    group,
    resource: 'ingressclasses',
    found: 'IngressClasses were found, only 1 allowed',
    annotations: [`ingressclass.${identifiers.labelDomain}/is-default-class`],
  });
  const lacksClass = (attributes: AdmissionAttributes, object: JsonObject): boolean =>
    isWriteTo(attributes, group, 'ingresses', 'CREATE') &&
    !isSet(objectAt(object, 'spec'), 'ingressClassName') &&
    !isSet(objectAt(object, 'metadata', 'annotations'), oldAnnotation);
  const setDefault = async (attributes: AdmissionAttributes, object: JsonObject): Promise<void> => {
    const name = await defaultClass(attributes);
    if (name !== undefined) makeObjectAt(object, 'spec')['ingressClassName'] = name;
  };
  return {
    name: 'DefaultIngressClass',
    operations: ['CREATE'],
    resources: ['ingresses'],
    mutate(attributes) {
      const { object } = attributes;
      return object && lacksClass(attributes, object) ? setDefault(attributes, object) : undefined;
    },
  };
}
