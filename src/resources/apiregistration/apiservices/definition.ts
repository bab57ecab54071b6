import type { APIService, APIServiceCondition, APIServiceSpec } from '../../../gen/stored/apiregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { now } from '../../../meta/time.ts';
import { validateDns1035Label, validateDnsSubdomain, validateWholePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { checkServicePort } from '../../rules/fields/port.ts';

/** The strategy of API services. Each says which server serves a group and version. */
const strategy: Strategy<APIService> = {
  plainFinalizers: true,
  validateName: validateWholePathSegment,
  validateNewName: (name, apiService) =>
    validateWholePathSegment(name).length > 0 ? [] : nameMessages(name, apiService),
  prepareForCreate: (apiService) => {
    apiService.status = apiService.spec.service ? {} : { conditions: [localCondition()] };
  },
  validate: validateApiService,
  validateUpdate: (apiService) => {
    const { name = '' } = apiService.metadata;
    return nameMessages(name, apiService).map((message) => invalid('metadata.name', name, message));
  },
  generation: false,
  allowUnconditionalUpdate: false,
  subresources: { status: { ...keepMetadata(), validateUpdate: conditionErrors } },
};

const conditionStates = ['True', 'False', 'Unknown'];

function conditionErrors(apiService: APIService): FieldError[] {
  const cursor = new FieldCursor(apiService);
  for (const condition of cursor.at('status').each('conditions')) {
    const { value, path } = condition.at('status');
    if (!conditionStates.includes(value)) condition.report(notSupported(path, value, conditionStates));
  }
  return cursor.errors;
}

/** The condition of a local API service, which is always available. */
function localCondition(): APIServiceCondition {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: now(),
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

/** The errors of a name that does not consist of the version and the group. */
function nameMessages(name: string, { spec: { group = '', version = '' } }: APIService): readonly string[] {
  const expected = `${version}.${group}`;
  return name === expected ? [] : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`];
}

function validateApiService(apiService: APIService): FieldError[] {
  const spec = new FieldCursor(apiService).at('spec');
  const group = spec.at('group');
  if (!group.isSet && spec.value.version !== 'v1') {
    group.reportRequired('only v1 may have an empty group and it better be legacy kube');
  }
  group.mustBe(validateDnsSubdomain);
  spec.report(...checkString('spec.version', spec.value.version ?? '', validateDns1035Label));
  if (spec.value.service) checkService(spec);
  else checkLocal(spec);
  return spec.errors;
}

/** Refuses TLS settings of a local API service, which needs no connection. */
function checkLocal(spec: FieldCursor<APIServiceSpec>): void {
  const bundle = Buffer.from(spec.value.caBundle ?? '', 'base64');
  if (spec.value.insecureSkipTLSVerify) {
    spec.at('insecureSkipTLSVerify').reportInvalid('local APIServices may not have insecureSkipTLSVerify');
  }
  if (bundle.length > 0) {
    spec.at('caBundle').reportInvalid('local APIServices may not have a caBundle', `${bundle.length} bytes`);
  }
}

function checkService(spec: FieldCursor<APIServiceSpec>): void {
  const service = spec.at('service');
  service.at('namespace').mustBeSet();
  service.at('name').mustBeSet();
  service.report(...checkServicePort(`${service.path}.port`, service.value?.port ?? 0));
  if (spec.value.insecureSkipTLSVerify && spec.value.caBundle) {
    spec.at('insecureSkipTLSVerify').reportInvalid('may not be true if caBundle is present');
  }
}

/** The columns of API services. */
const columns: readonly Column<APIService>[] = [
  nameColumn,
  textColumn('Service', 'Service that serves the version; Local if this server does.', ({ spec: { service } }) =>
    service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
  ),
  textColumn('Available', 'Whether the version is served.', available),
  ageColumn,
];

/** The status of the condition, with the reason if it is not True. */
function available({ status: { conditions = [] } }: APIService): string {
  const found = conditions.find(({ type }) => type === 'Available');
  if (!found) return 'Unknown';
  return found.status === 'True' ? found.status : `${found.status} (${found.reason ?? ''})`;
}

/** The resource `apiservices` of the group `apiregistration`. */
export const apiServices = builtIn<APIService>({
  group: 'apiregistration',
  resource: 'apiservices',
  kind: 'APIService',
  versions: {
    v1: { introduced: '1.10' },
    v1beta1: { introduced: '1.7', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  categories: ['api-extensions'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
