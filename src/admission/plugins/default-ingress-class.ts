import type { Identifiers } from '../../identifiers/identifiers.ts';
import { isSet, makeObjectAt, objectAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultClassName } from '../default-class.ts';
import { isWriteTo } from '../is-write-to.ts';
import type { LookupOf } from '../object-lookup.ts';

/** Gives a new Ingress without a class the default class (spec 4.10). The annotation of old counts as a class. */
export function defaultIngressClass(identifiers: Identifiers, lookupOf: LookupOf): AdmissionPlugin {
  const group = `networking.${identifiers.apiDomain}`;
  const classes = lookupOf(group, 'ingressclasses');
  const oldAnnotation = `${identifiers.labelDomain}/ingress.class`;
  const rule = {
    plural: 'IngressClasses',
    annotations: [`ingressclass.${identifiers.labelDomain}/is-default-class`],
  };
  return {
    name: 'DefaultIngressClass',
    operations: ['CREATE'],
    async mutate(attributes) {
      const { object } = attributes;
      const served = [group, 'extensions'].some((one) => isWriteTo(attributes, one, 'ingresses', 'CREATE'));
      if (!object || !served || isSet(objectAt(object, 'spec'), 'ingressClassName')) return;
      if (isSet(objectAt(object, 'metadata', 'annotations'), oldAnnotation)) return;
      const name = defaultClassName(attributes, await classes.list(attributes.signal), rule);
      if (name !== undefined) makeObjectAt(object, 'spec')['ingressClassName'] = name;
    },
  };
}
