import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { example, type Example, type Examples } from './example.ts';

const rbac = ({ apiDomain }: Identifiers): string => `rbac.authorization.${apiDomain}`;

const binding = (title: string, name: string, role: string, subject: (group: string) => JsonObject): Example => ({
  title,
  body: (identifiers) => ({
    metadata: { name },
    roleRef: { apiGroup: rbac(identifiers), kind: role, name: role === 'Role' ? 'pod-reader' : 'view' },
    subjects: [subject(rbac(identifiers))],
  }),
});

const user = (apiGroup: string): JsonObject => ({ apiGroup, kind: 'User', name: 'ann' });
const group = (apiGroup: string): JsonObject => ({ apiGroup, kind: 'Group', name: 'team-a' });
const account = (): JsonObject => ({ kind: 'ServiceAccount', name: 'robot', namespace: 'default' });
const readPods: JsonObject = { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] };
const webhook = (name: string): JsonObject => ({
  name,
  clientConfig: { url: 'https://hooks.example.com/admit' },
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  failurePolicy: 'Fail',
  timeoutSeconds: 5,
});

/** Examples of rights, limits, rules and kinds. */
export const policies: Examples = {
  'rbac.authorization/roles': [example('Read pods', 'pod-reader', { rules: [readPods] })],
  'rbac.authorization/clusterroles': [
    example('Read pods of all namespaces', 'pod-reader', { rules: [readPods] }),
    example('Read metrics', 'metrics-reader', { rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] }),
  ],
  'rbac.authorization/rolebindings': [
    binding('Role for a user', 'ann-reads-pods', 'Role', user),
    binding('Cluster role for a service account, here', 'robot-views', 'ClusterRole', account),
  ],
  'rbac.authorization/clusterrolebindings': [
    binding('For a group', 'team-a-views', 'ClusterRole', group),
    binding('For a service account', 'robot-views', 'ClusterRole', account),
  ],
  '/resourcequotas': [
    example('Limits of a namespace', 'limits', {
      spec: { hard: { pods: '20', 'requests.cpu': '4', 'requests.memory': '8Gi', 'count/secrets': '50' } },
    }),
  ],
  '/limitranges': [
    example('Defaults of containers', 'defaults', {
      spec: {
        limits: [
          {
            type: 'Container',
            default: { memory: '128Mi' },
            defaultRequest: { cpu: '100m', memory: '64Mi' },
            max: { memory: '1Gi' },
          },
        ],
      },
    }),
  ],
  'apiextensions/customresourcedefinitions': [
    example('A kind with a schema and columns', 'widgets.example.com', {
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  spec: {
                    type: 'object',
                    required: ['size'],
                    properties: {
                      size: { type: 'integer', minimum: 1, description: 'How many parts the widget has.' },
                      colour: { type: 'string', enum: ['red', 'green'], description: 'The colour of its parts.' },
                    },
                  },
                  status: { type: 'object', properties: { ready: { type: 'boolean' } } },
                },
              },
            },
          },
        ],
      },
    }),
  ],
  'admissionregistration/validatingwebhookconfigurations': [
    example('Check deployments', 'check-deployments', { webhooks: [webhook('check.example.com')] }),
  ],
  'admissionregistration/mutatingwebhookconfigurations': [
    example('Change deployments', 'change-deployments', { webhooks: [webhook('change.example.com')] }),
  ],
  'admissionregistration/validatingadmissionpolicies': [
    example('At most five replicas', 'few-replicas', {
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] },
          ],
        },
        validations: [{ expression: 'object.spec.replicas <= 5', message: 'at most five replicas are allowed' }],
      },
    }),
  ],
  'admissionregistration/validatingadmissionpolicybindings': [
    example('Refuse', 'few-replicas', { spec: { policyName: 'few-replicas', validationActions: ['Deny'] } }),
  ],
  'apiregistration/apiservices': [
    example('A group of another server', 'v1.example.com', {
      spec: {
        group: 'example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 10,
        service: { namespace: 'default', name: 'extension' },
      },
    }),
  ],
};
