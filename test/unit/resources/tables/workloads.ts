import { age, since, type TableStory } from './table-story.ts';
import { containers, template, labelledTemplate, jobTemplate, mixedSelector, simpleSelector } from './templates.ts';

/** Workloads with a pod template. */
export const workloads: readonly TableStory[] = [
  {
    collection: '/api/v1/namespaces/tt/replicationcontrollers',
    columns: [
      'Name, string, name',
      'Desired, integer',
      'Current, integer',
      'Ready, integer',
      'Age, string',
      'Containers, string, wide',
      'Images, string, wide',
      'Selector, string, wide',
    ],
    rows: [
      {
        name: 'rc0',
        object: {
          spec: {
            replicas: 3,
            selector: { a: 'b', c: 'd' },
            template: { metadata: { labels: { a: 'b', c: 'd' } }, spec: { containers } },
          },
        },
        status: { replicas: 2, readyReplicas: 1 },
        cells: ['rc0', 3, 2, 1, age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b,c=d'],
      },
      {
        name: 'rc1',
        object: { spec: { template: template } },
        cells: ['rc1', 1, 0, 0, age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b'],
      },
    ],
  },
  {
    collection: '/apis/apps/v1/namespaces/tt/replicasets',
    columns: [
      'Name, string, name',
      'Desired, integer',
      'Current, integer',
      'Ready, integer',
      'Age, string',
      'Containers, string, wide',
      'Images, string, wide',
      'Selector, string, wide',
    ],
    rows: [
      {
        name: 'replicasets0',
        object: { spec: { replicas: 4, selector: simpleSelector, template: template } },
        status: { replicas: 2, readyReplicas: 1 },
        cells: ['replicasets0', 4, 2, 1, age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b'],
      },
      {
        name: 'replicasets1',
        object: { spec: { selector: mixedSelector, template: labelledTemplate } },
        cells: [
          'replicasets1',
          1,
          0,
          0,
          age,
          'c1,c2',
          'img:1,reg/img2@sha256:abc',
          'a=b,b,k in (x,y),m notin (p,q),!n,o in (one),z=1',
        ],
      },
      {
        name: 'replicasets2',
        object: { spec: { replicas: 0, selector: simpleSelector, template: template } },
        cells: ['replicasets2', 0, 0, 0, age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b'],
      },
    ],
  },
  {
    collection: '/apis/apps/v1/namespaces/tt/deployments',
    columns: [
      'Name, string, name',
      'Ready, string',
      'Up-to-date, string',
      'Available, string',
      'Age, string',
      'Containers, string, wide',
      'Images, string, wide',
      'Selector, string, wide',
    ],
    rows: [
      {
        name: 'deployments0',
        object: { spec: { replicas: 4, selector: simpleSelector, template: template } },
        status: { replicas: 4, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
        cells: ['deployments0', '2/4', 3, 1, age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b'],
      },
      {
        name: 'deployments1',
        object: { spec: { selector: mixedSelector, template: labelledTemplate } },
        cells: [
          'deployments1',
          '0/1',
          0,
          0,
          age,
          'c1,c2',
          'img:1,reg/img2@sha256:abc',
          'a=b,b,k in (x,y),m notin (p,q),!n,o in (one),z=1',
        ],
      },
      {
        name: 'deployments2',
        object: { spec: { replicas: 0, selector: simpleSelector, template: template } },
        cells: ['deployments2', '0/0', 0, 0, age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b'],
      },
    ],
  },
  {
    collection: '/apis/apps/v1/namespaces/tt/statefulsets',
    columns: ['Name, string, name', 'Ready, string', 'Age, string', 'Containers, string, wide', 'Images, string, wide'],
    rows: [
      {
        name: 'statefulsets0',
        object: { spec: { replicas: 4, selector: simpleSelector, template: template, serviceName: 's' } },
        status: { replicas: 2, readyReplicas: 1 },
        cells: ['statefulsets0', '1/4', age, 'c1,c2', 'img:1,reg/img2@sha256:abc'],
      },
      {
        name: 'statefulsets1',
        object: { spec: { selector: mixedSelector, template: labelledTemplate, serviceName: 's' } },
        cells: ['statefulsets1', '0/1', age, 'c1,c2', 'img:1,reg/img2@sha256:abc'],
      },
      {
        name: 'statefulsets2',
        object: { spec: { replicas: 0, selector: simpleSelector, template: template, serviceName: 's' } },
        cells: ['statefulsets2', '0/0', age, 'c1,c2', 'img:1,reg/img2@sha256:abc'],
      },
    ],
  },
  {
    collection: '/apis/apps/v1/namespaces/tt/daemonsets',
    columns: [
      'Name, string, name',
      'Desired, integer',
      'Current, integer',
      'Ready, integer',
      'Up-to-date, integer',
      'Available, integer',
      'Node Selector, string',
      'Age, string',
      'Containers, string, wide',
      'Images, string, wide',
      'Selector, string, wide',
    ],
    rows: [
      {
        name: 'ds0',
        object: { spec: { selector: simpleSelector, template: template } },
        status: {
          currentNumberScheduled: 1,
          numberMisscheduled: 0,
          desiredNumberScheduled: 5,
          numberReady: 2,
          updatedNumberScheduled: 3,
          numberAvailable: 4,
        },
        cells: ['ds0', 5, 1, 2, 3, 4, '<none>', age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b'],
      },
      {
        name: 'ds1',
        object: {
          spec: {
            selector: mixedSelector,
            template: {
              metadata: { labels: { z: '1', a: 'b', k: 'x', m: 'r', b: '', o: 'one' } },
              spec: { containers, nodeSelector: { 'b.c/d': 'e', a: '1' } },
            },
          },
        },
        cells: [
          'ds1',
          0,
          0,
          0,
          0,
          0,
          'a=1,b.c/d=e',
          age,
          'c1,c2',
          'img:1,reg/img2@sha256:abc',
          'a=b,b,k in (x,y),m notin (p,q),!n,o in (one),z=1',
        ],
      },
    ],
  },
  {
    collection: '/apis/apps/v1/namespaces/tt/controllerrevisions',
    columns: ['Name, string, name', 'Controller, string', 'Revision, string', 'Age, string'],
    rows: [
      { name: 'cr0', object: { revision: 3, data: { a: 1 } }, cells: ['cr0', '<none>', 3, age] },
      {
        name: 'cr1',
        object: {
          metadata: {
            ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u1', controller: true }],
          },
          revision: 4,
          data: { a: 1 },
        },
        cells: ['cr1', 'statefulset.apps/web', 4, age],
      },
      {
        name: 'cr2',
        object: {
          metadata: {
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Foo', name: 'web', uid: 'u1', controller: true },
              { apiVersion: 'v1', kind: 'Bar', name: 'web2', uid: 'u2' },
            ],
          },
          revision: 4,
          data: {},
        },
        cells: ['cr2', 'foo/web', 4, age],
      },
      {
        name: 'cr3',
        object: {
          metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Foo', name: 'web', uid: 'u1' }] },
          revision: 4,
          data: {},
        },
        cells: ['cr3', '<none>', 4, age],
      },
    ],
  },
  {
    collection: '/apis/batch/v1/namespaces/tt/jobs',
    columns: [
      'Name, string, name',
      'Status, string',
      'Completions, string',
      'Duration, string',
      'Age, string',
      'Containers, string, wide',
      'Images, string, wide',
      'Selector, string, wide',
    ],
    rows: [
      {
        name: 'j0',
        object: { spec: { template: jobTemplate } },
        cells: ['j0', 'Running', '0/1', '', age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'controller-uid=UID'],
      },
      {
        name: 'j1',
        object: { spec: { template: jobTemplate, completions: 5, parallelism: 2 } },
        status: {
          startTime: '2020-01-01T00:00:00Z',
          completionTime: '2020-01-01T01:10:05Z',
          succeeded: 5,
          conditions: [{ type: 'Complete', status: 'True' }],
        },
        cells: ['j1', 'Complete', '5/5', '70m', age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'controller-uid=UID'],
      },
      {
        name: 'j2',
        object: { spec: { template: jobTemplate, parallelism: 3 } },
        status: { startTime: '2020-01-01T00:00:00Z', succeeded: 2, active: 1 },
        cells: [
          'j2',
          'Running',
          '2/1 of 3',
          since('2020-01-01T00:00:00Z'),
          age,
          'c1,c2',
          'img:1,reg/img2@sha256:abc',
          'controller-uid=UID',
        ],
      },
      {
        name: 'j3',
        object: { spec: { template: jobTemplate, parallelism: 1 } },
        status: {
          startTime: '2020-01-01T00:00:00Z',
          completionTime: '2020-01-01T00:00:07Z',
          failed: 1,
          conditions: [{ type: 'Failed', status: 'True' }],
        },
        cells: ['j3', 'Failed', '0/1', '7s', age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'controller-uid=UID'],
      },
      {
        name: 'j4',
        object: {
          spec: {
            template: { metadata: { labels: { q: 'r' } }, spec: { restartPolicy: 'Never', containers } },
            parallelism: 0,
            completions: 1,
            manualSelector: true,
            selector: { matchLabels: { q: 'r' } },
          },
        },
        cells: ['j4', 'Running', '0/1', '', age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'q=r'],
      },
      {
        name: 'j5',
        object: { spec: { template: jobTemplate, parallelism: 0 } },
        cells: ['j5', 'Running', '0/1', '', age, 'c1,c2', 'img:1,reg/img2@sha256:abc', 'controller-uid=UID'],
      },
    ],
  },
  {
    collection: '/apis/batch/v1beta1/namespaces/tt/cronjobs',
    columns: [
      'Name, string, name',
      'Schedule, string',
      'Timezone, string',
      'Suspend, boolean',
      'Active, integer',
      'Last Schedule, string',
      'Age, string',
      'Containers, string, wide',
      'Images, string, wide',
      'Selector, string, wide',
    ],
    rows: [
      {
        name: 'cj0',
        object: { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
        cells: [
          'cj0',
          '*/5 * * * *',
          '<none>',
          'False',
          0,
          '<none>',
          age,
          'c1,c2',
          'img:1,reg/img2@sha256:abc',
          '<none>',
        ],
      },
      {
        name: 'cj1',
        object: { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: jobTemplate } }, suspend: true } },
        status: { active: [{ name: 'a' }, { name: 'b' }], lastScheduleTime: '2020-01-01T00:00:00Z' },
        cells: [
          'cj1',
          '*/5 * * * *',
          '<none>',
          'True',
          2,
          since('2020-01-01T00:00:00Z'),
          age,
          'c1,c2',
          'img:1,reg/img2@sha256:abc',
          '<none>',
        ],
      },
    ],
  },
];
