import type { CustomResourceDefinition } from '../../gen/stored/apiextensions-v1.ts';
import { builtIn } from '../../resources/built-in.ts';
import { statusSubresource } from '../../resources/subresources.ts';
import { definitionConversion } from './convert.ts';
import { strategy } from './strategy.ts';

/** The resource `customresourcedefinitions` of the group `apiextensions`. */
export const customResourceDefinitions = builtIn<CustomResourceDefinition>({
  group: 'apiextensions',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  versions: {
    v1: { introduced: '1.16' },
    v1beta1: {
      introduced: '1.7',
      deprecated: { since: '1.16', removed: '1.22', replacement: 'v1' },
      conversion: definitionConversion,
    },
  },
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  subresources: [statusSubresource],
  strategy,
});
