import type { JsonObject } from '../../../../../meta/json-value.ts';
import type { Description, Section } from '../parts/description.ts';
import {
  annotations,
  labels,
  name,
  namespacedName,
  field,
  created,
  block,
  optional,
  ifSet,
  indented,
} from '../parts/fields.ts';
import { pairs, partAt, plain, textAt, itemsAt, unset, or, selectorText } from '../parts/values.ts';

/** How many bytes base64 text stands for. */
function bytesIn(text: string): number {
  return Buffer.from(text, 'base64').length;
}

function sortedEntries(map: JsonObject): (readonly [key: string, value: string])[] {
  return Object.keys(map)
    .toSorted()
    .map((key) => [key, plain(map[key])]);
}

const configMapData: Section = (object) => [
  '',
  'Data',
  '====',
  ...sortedEntries(partAt(object, 'data')).flatMap(([key, value]) => [`${key}:`, '----', ...value.split('\n'), '']),
  '',
  'BinaryData',
  '====',
  ...sortedEntries(partAt(object, 'binaryData')).map(([key, value]) => `${key}: ${bytesIn(value)} bytes`),
  '',
];

/** Config maps. */
export const configMap: Description = { sections: [...namespacedName, labels, annotations, configMapData] };

/** Keys and sizes, never values. */
const secretData: Section = (object) => [
  '',
  `Type:\t${textAt(object, 'type')}`,
  '',
  'Data',
  '====',
  ...sortedEntries(partAt(object, 'data')).map(([key, value]) => `${key}:\t${bytesIn(value)} bytes`),
];

/** Secrets. */
export const secret: Description = { events: 'none', sections: [...namespacedName, labels, annotations, secretData] };

/** Classes of priorities. */
export const priorityClass: Description = {
  sections: [
    name,
    field('Value', 'value', or('0')),
    field('GlobalDefault', 'globalDefault', or('false')),
    field('PreemptionPolicy', 'preemptionPolicy'),
    field('Description', 'description'),
    field('Annotations', 'metadata.annotations', pairs),
  ],
};

/** Budgets of disruptions. */
export const podDisruptionBudget: Description = {
  sections: [
    ...namespacedName,
    optional('Min available', 'spec.minAvailable'),
    optional('Max unavailable', 'spec.maxUnavailable'),
    field('Selector', 'spec.selector', (value) => (value ? selectorText(value) : unset)),
    (object) => [
      'Status:',
      ...indented(
        [
          ['Allowed disruptions', 'status.disruptionsAllowed'],
          ['Current', 'status.currentHealthy'],
          ['Desired', 'status.desiredHealthy'],
          ['Total', 'status.expectedPods'],
        ].map(([label, path = '']) => `${label}:\t${textAt(object, path) || '0'}`),
        2,
      ),
    ],
  ],
};

const drivers: Section = (node) =>
  itemsAt(node, 'spec.drivers').flatMap((driver) => {
    const count = textAt(driver, 'allocatable.count');
    return [
      `    ${textAt(driver, 'name')}:`,
      ...indented(
        [
          `Node ID:\t${textAt(driver, 'nodeID')}`,
          ...(count ? ['Allocatables:', `  Count:\t${count}`] : []),
          ...(driver.topologyKeys ? [`Topology Keys:\t${plain(driver.topologyKeys)}`] : []),
        ],
        3,
      ),
    ];
  });

/** The drivers of a node. */
export const csiNode: Description = {
  sections: [name, labels, annotations, created, block('Spec'), ifSet('spec.drivers', () => ['  Drivers:'], drivers)],
};
