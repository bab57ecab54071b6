import type { JsonObject } from '../../../../../meta/json-value.ts';
import { containers } from './containers.ts';
import type { Facts, Section } from './description.ts';
import { annotationLines, mapLines, valueLines } from './fields.ts';
import { itemsAt, partAt, selectorText, textAt } from './values.ts';
import { volumes } from './volumes.ts';

/** The template of pods at a path. */
export function podTemplate(path: string): Section {
  return (object, facts) => ['Pod Template:', ...templateLines(partAt(object, path), facts)];
}

function templateLines(template: JsonObject, facts: Facts): string[] {
  const spec = partAt(template, 'spec');
  const notes = partAt(template, 'metadata.annotations');
  const account = textAt(spec, 'serviceAccountName');
  const priority = textAt(spec, 'priorityClassName');
  const first = itemsAt(spec, 'initContainers');
  return [
    ...mapLines('  Labels', partAt(template, 'metadata.labels')),
    ...(Object.keys(notes).length > 0 ? annotationLines('  Annotations', notes) : []),
    ...(account ? [`  Service Account:\t${account}`] : []),
    ...(first.length > 0 ? containers('Init Containers', first, { space: '  ' }) : []),
    ...containers('Containers', itemsAt(spec, 'containers'), { space: '  ' }),
    ...volumes(spec, '  ', facts),
    ...spread(spec, '  '),
    ...(priority ? [`  Priority Class Name:\t${priority}`] : []),
    ...placement(spec, '  '),
  ];
}

/** The node selectors and tolerations of a pod or a template. */
export function placement(spec: JsonObject, space: string): string[] {
  const tolerations = itemsAt(spec, 'tolerations').toSorted((one, other) =>
    textAt(one, 'key') < textAt(other, 'key') ? -1 : Number(textAt(one, 'key') > textAt(other, 'key')),
  );
  return [
    ...mapLines(`${space}Node-Selectors`, partAt(spec, 'nodeSelector')),
    ...valueLines(`${space}Tolerations`, tolerations.map(tolerationText)),
  ];
}

function tolerationText(toleration: JsonObject): string {
  const [key, value, effect] = ['key', 'value', 'effect'].map((path) => textAt(toleration, path));
  const matched = `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`;
  const exists = toleration.operator === 'Exists' && !value ? `${matched ? ' ' : ''}op=Exists` : '';
  const seconds = textAt(toleration, 'tolerationSeconds');
  return `${matched}${exists}${seconds ? ` for ${seconds}s` : ''}`;
}

/** How pods are spread over domains. */
export function spread(spec: JsonObject, space: string): string[] {
  const rules = itemsAt(spec, 'topologySpreadConstraints')
    .toSorted((one, other) => (textAt(one, 'topologyKey') < textAt(other, 'topologyKey') ? -1 : 1))
    .map((rule) => {
      const skew = `${textAt(rule, 'whenUnsatisfiable')} when max skew ${textAt(rule, 'maxSkew')} is exceeded`;
      const selector = rule.labelSelector ? ` for selector ${selectorText(rule.labelSelector)}` : '';
      return `${textAt(rule, 'topologyKey')}:${skew}${selector}`;
    });
  return rules.length > 0 ? valueLines(`${space}Topology Spread Constraints`, rules) : [];
}
