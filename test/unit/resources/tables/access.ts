import { generateKey } from '../../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../../src/pki/issue-certificate.ts';
import { certificateRequest } from '../../../http/minimal-objects.ts';
import { age, created, type TableStory } from './table-story.ts';

const request = certificateRequest();
const pem = await issueAuthorityCertificate(await generateKey(), 'test CA', new Date(Date.now() + 3_600_000));
const certificate = Buffer.from(pem).toString('base64');

/** Roles and bindings, certificate requests, webhooks and other extensions. */
export const access: readonly TableStory[] = [
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/namespaces/tt/roles',
    columns: ['Name, string, name', 'Created At, date'],
    rows: [{ name: 'r0', object: { rules: [] }, cells: ['r0', created] }],
  },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    columns: ['Name, string, name', 'Created At, date'],
    rows: [{ name: 'crx', object: { rules: [] }, cells: ['crx', created] }],
  },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/namespaces/tt/rolebindings',
    columns: [
      'Name, string, name',
      'Role, string',
      'Age, string',
      'Users, string, wide',
      'Groups, string, wide',
      'ServiceAccounts, string, wide',
    ],
    rows: [
      {
        name: 'rb0',
        object: {
          roleRef: { kind: 'Role', name: 'r0', apiGroup: 'rbac.authorization.k8s.io' },
          subjects: [
            { kind: 'User', name: 'u1', apiGroup: 'rbac.authorization.k8s.io' },
            { kind: 'User', name: 'u2', apiGroup: 'rbac.authorization.k8s.io' },
            { kind: 'Group', name: 'g1', apiGroup: 'rbac.authorization.k8s.io' },
            { kind: 'ServiceAccount', name: 'sa', namespace: 'x' },
            { kind: 'ServiceAccount', name: 'sa2', namespace: 'y' },
          ],
        },
        cells: ['rb0', 'Role/r0', age, 'u1, u2', 'g1', 'x/sa, y/sa2'],
      },
      {
        name: 'rb1',
        object: { roleRef: { kind: 'ClusterRole', name: 'crx', apiGroup: 'rbac.authorization.k8s.io' } },
        cells: ['rb1', 'ClusterRole/crx', age, '', '', ''],
      },
    ],
  },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    columns: [
      'Name, string, name',
      'Role, string',
      'Age, string',
      'Users, string, wide',
      'Groups, string, wide',
      'ServiceAccounts, string, wide',
    ],
    rows: [
      {
        name: 'crb0',
        object: {
          roleRef: { kind: 'ClusterRole', name: 'crx', apiGroup: 'rbac.authorization.k8s.io' },
          subjects: [
            { kind: 'User', name: 'u1', apiGroup: 'rbac.authorization.k8s.io' },
            { kind: 'User', name: 'u2', apiGroup: 'rbac.authorization.k8s.io' },
            { kind: 'Group', name: 'g1', apiGroup: 'rbac.authorization.k8s.io' },
            { kind: 'ServiceAccount', name: 'sa', namespace: 'x' },
            { kind: 'ServiceAccount', name: 'sa2', namespace: 'y' },
          ],
        },
        cells: ['crb0', 'ClusterRole/crx', age, 'u1, u2', 'g1', 'x/sa, y/sa2'],
      },
    ],
  },
  {
    collection: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    columns: [
      'Name, string, name',
      'Age, string',
      'SignerName, string',
      'Requestor, string',
      'RequestedDuration, string',
      'Condition, string',
    ],
    rows: [
      {
        name: 'csr0',
        object: {
          spec: {
            request,
            signerName: 'example.com/s',
            usages: ['client auth'],
            expirationSeconds: 7200,
          },
        },
        cells: ['csr0', age, 'example.com/s', 'system:anonymous', '120m', 'Pending'],
      },
      {
        name: 'csr1',
        object: {
          spec: {
            request,
            signerName: 'example.com/s',
            usages: ['client auth'],
          },
        },
        approval: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
        cells: ['csr1', age, 'example.com/s', 'system:anonymous', '<none>', 'Approved'],
      },
      {
        name: 'csr2',
        object: {
          spec: {
            request,
            signerName: 'example.com/s',
            usages: ['client auth'],
          },
        },
        approval: { conditions: [{ type: 'Denied', status: 'True', reason: 'r', message: 'm' }] },
        cells: ['csr2', age, 'example.com/s', 'system:anonymous', '<none>', 'Denied'],
      },
      {
        name: 'csr3',
        object: {
          spec: {
            request,
            signerName: 'example.com/s',
            usages: ['client auth'],
          },
        },
        approval: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
        status: {
          certificate,
        },
        cells: ['csr3', age, 'example.com/s', 'system:anonymous', '<none>', 'Approved,Issued'],
      },
      {
        name: 'csr4',
        object: {
          spec: {
            request,
            signerName: 'example.com/s',
            usages: ['client auth'],
          },
        },
        approval: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] },
        status: {
          conditions: [
            { type: 'Approved', status: 'True', reason: 'r', message: 'm' },
            { type: 'Failed', status: 'True', reason: 'r' },
          ],
        },
        cells: ['csr4', age, 'example.com/s', 'system:anonymous', '<none>', 'Approved,Failed'],
      },
    ],
  },
  {
    collection: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    columns: ['Name, string, name', 'Validations, integer', 'ParamKind, string', 'Age, string'],
    rows: [
      {
        name: 'validating0',
        object: {
          spec: {
            matchConstraints: {
              resourceRules: [
                { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
              ],
            },
            validations: [{ expression: 'true' }, { expression: 'true' }],
          },
        },
        cells: ['validating0', 2, '<unset>', age],
      },
      {
        name: 'validating1',
        object: {
          spec: {
            matchConstraints: {
              resourceRules: [
                { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
              ],
            },
            paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
            auditAnnotations: [{ key: 'a', valueExpression: '"b"' }],
          },
        },
        cells: ['validating1', 0, 'example.com/v1/Limit', age],
      },
    ],
  },
  {
    collection: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    columns: ['Name, string, name', 'PolicyName, string', 'ParamRef, string', 'Age, string'],
    rows: [
      {
        name: 'binding0',
        object: { spec: { policyName: 'none', validationActions: ['Deny'] } },
        cells: ['binding0', 'none', '<unset>', age],
      },
      {
        name: 'binding1',
        object: {
          spec: {
            policyName: 'none',
            validationActions: ['Deny'],
            paramRef: { name: 'a', parameterNotFoundAction: 'Deny' },
          },
        },
        cells: ['binding1', 'none', '*/a', age],
      },
      {
        name: 'binding2',
        object: {
          spec: {
            policyName: 'none',
            validationActions: ['Audit', 'Warn'],
            paramRef: { name: 'a', namespace: 'b', parameterNotFoundAction: 'Allow' },
          },
        },
        cells: ['binding2', 'none', 'b/a', age],
      },
      {
        name: 'binding3',
        object: {
          spec: {
            policyName: 'none',
            validationActions: ['Deny'],
            paramRef: {
              selector: {
                matchLabels: { b: '2', a: '1' },
                matchExpressions: [{ key: 'c', operator: 'In', values: ['3', '4'] }],
              },
              parameterNotFoundAction: 'Deny',
            },
          },
        },
        cells: [
          'binding3',
          'none',
          '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[3 4],},},}',
          age,
        ],
      },
    ],
  },
  {
    collection: '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
    columns: ['Name, string, name', 'Mutations, integer', 'ParamKind, string', 'Age, string'],
    rows: [
      {
        name: 'mutating0',
        object: {
          spec: {
            matchConstraints: {
              resourceRules: [
                { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
              ],
            },
            mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
            reinvocationPolicy: 'Never',
          },
        },
        cells: ['mutating0', 1, '<unset>', age],
      },
    ],
  },
  {
    collection: '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings',
    columns: ['Name, string, name', 'PolicyName, string', 'ParamRef, string', 'Age, string'],
    rows: [{ name: 'binding0', object: { spec: { policyName: 'none' } }, cells: ['binding0', 'none', '<unset>', age] }],
  },
  {
    collection: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    columns: ['Name, string, name', 'Webhooks, integer', 'Age, string'],
    rows: [
      { name: 'mutating0', cells: ['mutating0', 0, age] },
      {
        name: 'mutating1',
        object: {
          webhooks: [
            {
              name: 'a.example.com',
              clientConfig: { url: 'https://x.example.com' },
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              rules: [
                { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
              ],
              failurePolicy: 'Ignore',
            },
            {
              name: 'b.example.com',
              clientConfig: { url: 'https://x.example.com' },
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              rules: [
                { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
              ],
              failurePolicy: 'Ignore',
            },
          ],
        },
        cells: ['mutating1', 2, age],
      },
    ],
  },
  {
    collection: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    columns: ['Name, string, name', 'Webhooks, integer', 'Age, string'],
    rows: [
      { name: 'validating0', cells: ['validating0', 0, age] },
      {
        name: 'validating1',
        object: {
          webhooks: [
            {
              name: 'a.example.com',
              clientConfig: { url: 'https://x.example.com' },
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              rules: [
                { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
              ],
              failurePolicy: 'Ignore',
            },
            {
              name: 'b.example.com',
              clientConfig: { url: 'https://x.example.com' },
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              rules: [
                { apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nones'] },
              ],
              failurePolicy: 'Ignore',
            },
          ],
        },
        cells: ['validating1', 2, age],
      },
    ],
  },
  {
    collection: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    columns: ['Name, string, name', 'Created At, date'],
    rows: [
      {
        name: 'foos.example.com',
        object: {
          spec: {
            group: 'example.com',
            scope: 'Namespaced',
            names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
              },
            ],
          },
        },
        cells: ['foos.example.com', created],
      },
    ],
  },
  {
    collection: '/apis/apiregistration.k8s.io/v1/apiservices',
    columns: ['Name, string, name', 'Service, string', 'Available, string', 'Age, string'],
    rows: [
      {
        name: 'v1.zork.example.com',
        object: {
          spec: {
            group: 'zork.example.com',
            version: 'v1',
            groupPriorityMinimum: 10,
            versionPriority: 10,
            service: { namespace: 'ns', name: 'svc' },
            insecureSkipTLSVerify: true,
          },
        },
        status: { conditions: [{ type: 'Available', status: 'False', reason: 'ServiceNotFound' }] },
        cells: ['v1.zork.example.com', 'ns/svc', 'False (ServiceNotFound)', age],
      },
      {
        name: 'v2.zork.example.com',
        object: { spec: { group: 'zork.example.com', version: 'v2', groupPriorityMinimum: 10, versionPriority: 10 } },
        status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
        cells: ['v2.zork.example.com', 'Local', 'True', age],
      },
      {
        name: 'v3.zork.example.com',
        object: {
          spec: {
            group: 'zork.example.com',
            version: 'v3',
            groupPriorityMinimum: 10,
            versionPriority: 10,
            service: { namespace: 'ns', name: 'svc' },
            insecureSkipTLSVerify: true,
          },
        },
        cells: ['v3.zork.example.com', 'ns/svc', 'Unknown', age],
      },
    ],
  },
];
