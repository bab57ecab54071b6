import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { isSet, makeObjectAt, objectAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultClassFinder } from '../default-class.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Sets the default class in a new Ingress without a class (spec 4.10). The deprecated annotation
 * counts as a class.
 */
export function defaultIngressClass(identifiers: Identifiers, listerOf: ListerOf): AdmissionPlugin {
  const group = `networking.${identifiers.apiDomain}`;
  const oldAnnotation = `${identifiers.labelDomain}/ingress.class`;
  const defaultClass = defaultClassFinder(listerOf, {
    group,
    resource: 'ingressclasses',
    plural: 'IngressClasses',
    annotations: [`ingressclass.${identifiers.labelDomain}/is-default-class`],
  });
  return {
    name: 'DefaultIngressClass',
    operations: ['CREATE'],
    async mutate(attributes) {
      const { object } = attributes;
      const served = [group, 'extensions'].some((one) => isWriteTo(attributes, one, 'ingresses', 'CREATE'));
      if (!object || !served || isSet(objectAt(object, 'spec'), 'ingressClassName')) return;
      if (isSet(objectAt(object, 'metadata', 'annotations'), oldAnnotation)) return;
      const name = await defaultClass(attributes);
      if (name !== undefined) makeObjectAt(object, 'spec')['ingressClassName'] = name;
    },
  };
}
