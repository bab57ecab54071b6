import type { Ingress } from '../../gen/stored/networking-v1.ts';
import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { defaultClassFinder } from '../default-class.ts';
import { isWriteTo, type ObjectWrite } from '../is-write-to.ts';

/**
 * Sets the default class in a new Ingress without a class (spec 4.10). The deprecated annotation
 * counts as a class. Ingresses of the group `extensions`, which is older than classes, get none.
 */
export function defaultIngressClass(context: PluginContext): AdmissionPlugin {
  const { identifiers } = context;
  const group = `networking.${identifiers.apiDomain}`;
  const oldAnnotation = `${identifiers.labelDomain}/ingress.class`;
  const defaultClass = defaultClassFinder(context, {
    group,
    resource: 'ingressclasses',
    found: 'IngressClasses were found, only 1 allowed',
    newestSince: '1.25',
    annotations: [`ingressclass.${identifiers.labelDomain}/is-default-class`],
  });
  const setDefault = async (attributes: ObjectWrite<Ingress>): Promise<void> => {
    const name = await defaultClass(attributes);
    if (name !== undefined) attributes.object.spec.ingressClassName = name;
  };
  return {
    name: 'DefaultIngressClass',
    operations: ['CREATE'],
    resources: ['ingresses'],
    mutate(attributes) {
      if (!isWriteTo(attributes, group, 'ingresses', 'CREATE')) return undefined;
      const { metadata, spec } = attributes.object;
      const given = spec.ingressClassName ?? metadata.annotations?.[oldAnnotation];
      return given === undefined ? setDefault(attributes) : undefined;
    },
  };
}
