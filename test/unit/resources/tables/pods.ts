import type { JsonObject } from '../../../../src/meta/json-value.ts';
import { age, type TableStory } from './table-story.ts';
import { containers, template } from './templates.ts';

const running = { running: { startedAt: '2020-01-01T00:00:00Z' } };
const completed = { terminated: { exitCode: 0, reason: 'Completed' } };

/** Pods in each state, and their templates. */
const withSidecar: JsonObject[] = [
  { name: 's', image: 'i', restartPolicy: 'Always' },
  { name: 'i', image: 'i' },
];

function initStatus(name: string) {
  return { name, image: 'i', imageID: '', ready: false, restartCount: 0 };
}

export const pods: readonly TableStory[] = [
  {
    collection: '/api/v1/namespaces/tt/pods',
    columns: [
      'Name, string, name',
      'Ready, string',
      'Status, string',
      'Restarts, string',
      'Age, string',
      'IP, string, wide',
      'Node, string, wide',
      'Nominated Node, string, wide',
      'Readiness Gates, string, wide',
    ],
    rows: [
      {
        name: 'p-pending',
        object: { spec: { containers } },
        cells: ['p-pending', '0/2', 'Pending', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-gated',
        object: { spec: { containers, schedulingGates: [{ name: 'example.com/wait' }] } },
        cells: ['p-gated', '0/2', 'SchedulingGated', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-run',
        object: { spec: { containers } },
        status: {
          phase: 'Running',
          podIP: '10.1.2.3',
          podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }],
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: true, restartCount: 3, state: running },
            { name: 'c2', image: 'i', imageID: '', ready: true, restartCount: 4, state: running },
          ],
          conditions: [{ type: 'Ready', status: 'True' }],
        },
        cells: ['p-run', '2/2', 'Running', '7', age, '10.1.2.3', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-half',
        object: { spec: { containers, nodeName: 'node-x' } },
        status: {
          phase: 'Running',
          podIP: '10.1.2.4',
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: true, restartCount: 1, state: running },
            {
              name: 'c2',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 7,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
            },
          ],
        },
        cells: ['p-half', '1/2', 'CrashLoopBackOff', '8', age, '10.1.2.4', 'node-x', '<none>', '<none>'],
      },
      {
        name: 'p-waiting-noreason',
        object: { spec: { containers } },
        status: {
          phase: 'Pending',
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: false, restartCount: 0, state: { waiting: {} } },
            {
              name: 'c2',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { waiting: { message: 'x' } },
            },
          ],
        },
        cells: ['p-waiting-noreason', '0/2', 'Pending', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-completed',
        object: { spec: { containers } },
        status: {
          phase: 'Succeeded',
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: false, restartCount: 0, state: completed },
            { name: 'c2', image: 'i', imageID: '', ready: false, restartCount: 0, state: completed },
          ],
        },
        cells: ['p-completed', '0/2', 'Completed', '0', age, '<none>', '<none>', '<none>', '<none>'],
        conditions: [
          { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
        ],
      },
      {
        name: 'p-failed',
        object: { spec: { containers } },
        status: { phase: 'Failed', reason: 'Evicted', message: 'm' },
        cells: ['p-failed', '0/2', 'Evicted', '0', age, '<none>', '<none>', '<none>', '<none>'],
        conditions: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
      },
      {
        name: 'p-failed2',
        object: { spec: { containers } },
        status: {
          phase: 'Failed',
          containerStatuses: [
            {
              name: 'c1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { terminated: { exitCode: 3 } },
            },
            { name: 'c2', image: 'i', imageID: '', ready: false, restartCount: 0, state: completed },
          ],
        },
        cells: ['p-failed2', '0/2', 'ExitCode:3', '0', age, '<none>', '<none>', '<none>', '<none>'],
        conditions: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
      },
      {
        name: 'p-signal',
        object: { spec: { containers } },
        status: {
          phase: 'Failed',
          containerStatuses: [
            {
              name: 'c1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { terminated: { exitCode: 137, signal: 9 } },
            },
          ],
        },
        cells: ['p-signal', '0/2', 'Signal:9', '0', age, '<none>', '<none>', '<none>', '<none>'],
        conditions: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
      },
      {
        name: 'p-comp-running-ready',
        object: { spec: { containers } },
        status: {
          phase: 'Running',
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: false, restartCount: 0, state: completed },
            { name: 'c2', image: 'i', imageID: '', ready: true, restartCount: 0, state: running },
          ],
          conditions: [{ type: 'Ready', status: 'True' }],
        },
        cells: ['p-comp-running-ready', '1/2', 'Running', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-comp-running-unready',
        object: { spec: { containers } },
        status: {
          phase: 'Running',
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: false, restartCount: 0, state: completed },
            { name: 'c2', image: 'i', imageID: '', ready: true, restartCount: 0, state: running },
          ],
          conditions: [{ type: 'Ready', status: 'False' }],
        },
        cells: ['p-comp-running-unready', '1/2', 'NotReady', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init0',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            {
              name: 'i1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { waiting: { reason: 'PodInitializing' } },
            },
            {
              name: 'i2',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { waiting: { reason: 'PodInitializing' } },
            },
          ],
        },
        cells: ['p-init0', '0/2', 'Init:0/2', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init1',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            {
              name: 'i1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 2,
              state: { terminated: { exitCode: 0 } },
            },
            { name: 'i2', image: 'i', imageID: '', ready: false, restartCount: 1, state: running },
          ],
          containerStatuses: [
            {
              name: 'c1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 5,
              state: { waiting: { reason: 'PodInitializing' } },
            },
          ],
        },
        cells: ['p-init1', '0/2', 'Init:1/2', '3', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init-wait',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            {
              name: 'i1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 5,
              state: { waiting: { reason: 'ImagePullBackOff' } },
            },
          ],
        },
        cells: ['p-init-wait', '0/2', 'Init:ImagePullBackOff', '5', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init-waitnone',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'i1', image: 'i', imageID: '', ready: false, restartCount: 0, state: { waiting: {} } },
          ],
        },
        cells: ['p-init-waitnone', '0/2', 'Init:0/2', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init-term',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            {
              name: 'i1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { terminated: { exitCode: 2 } },
            },
          ],
        },
        cells: ['p-init-term', '0/2', 'Init:ExitCode:2', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init-sig',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            {
              name: 'i1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { terminated: { exitCode: 2, signal: 15 } },
            },
          ],
        },
        cells: ['p-init-sig', '0/2', 'Init:Signal:15', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init-reason',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            {
              name: 'i1',
              image: 'i',
              imageID: '',
              ready: false,
              restartCount: 0,
              state: { terminated: { exitCode: 2, reason: 'Error' } },
            },
          ],
        },
        cells: ['p-init-reason', '0/2', 'Init:Error', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-init-done',
        object: {
          spec: {
            containers,
            initContainers: [
              { name: 'i1', image: 'x' },
              { name: 'i2', image: 'x' },
            ],
          },
        },
        status: {
          phase: 'Running',
          initContainerStatuses: [
            { name: 'i1', image: 'i', imageID: '', ready: false, restartCount: 9, state: completed },
            { name: 'i2', image: 'i', imageID: '', ready: false, restartCount: 0, state: completed },
          ],
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: true, restartCount: 1, state: running },
            { name: 'c2', image: 'i', imageID: '', ready: true, restartCount: 0, state: running },
          ],
        },
        cells: ['p-init-done', '2/2', 'Running', '1', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-nostate',
        object: { spec: { containers } },
        status: {
          phase: 'Running',
          containerStatuses: [
            { name: 'c1', image: 'i', imageID: '', ready: false, restartCount: 0 },
            { name: 'c2', image: 'i', imageID: '', ready: true, restartCount: 0 },
          ],
        },
        cells: ['p-nostate', '0/2', 'Running', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-gates',
        object: {
          spec: {
            containers,
            readinessGates: [
              { conditionType: 'example.com/a' },
              { conditionType: 'example.com/b' },
              { conditionType: 'example.com/c' },
            ],
          },
        },
        status: {
          phase: 'Running',
          nominatedNodeName: 'nom',
          conditions: [
            { type: 'example.com/a', status: 'True' },
            { type: 'example.com/b', status: 'False' },
          ],
        },
        cells: ['p-gates', '0/2', 'Running', '0', age, '<none>', '<none>', 'nom', '1/3'],
      },
      {
        name: 'p-unknown',
        object: { spec: { containers } },
        status: { phase: 'Unknown' },
        cells: ['p-unknown', '0/2', 'Unknown', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-fin',
        object: { metadata: { finalizers: ['example.com/f'] }, spec: { containers } },
        status: { phase: 'Running' },
        deleted: true,
        cells: ['p-fin', '0/2', 'Terminating', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-lost',
        object: { metadata: { finalizers: ['example.com/f'] }, spec: { containers } },
        status: { phase: 'Running', reason: 'NodeLost' },
        deleted: true,
        cells: ['p-lost', '0/2', 'Unknown', '0', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-sidecar-first',
        object: { spec: { containers, initContainers: withSidecar } },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { ...initStatus('s'), ready: true, started: true, restartCount: 2, state: { running: {} } },
            { ...initStatus('i'), state: { waiting: { reason: 'PodInitializing' } } },
          ],
        },
        cells: ['p-sidecar-first', '1/3', 'Init:1/2', '2', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-sidecar',
        object: { spec: { containers, initContainers: withSidecar } },
        status: {
          phase: 'Running',
          conditions: [{ type: 'Initialized', status: 'True' }],
          initContainerStatuses: [
            { ...initStatus('s'), ready: true, started: true, restartCount: 2, state: { running: {} } },
            { ...initStatus('i'), restartCount: 1, state: { terminated: { exitCode: 0 } } },
          ],
          containerStatuses: ['c1', 'c2'].map((name) => ({
            ...initStatus(name),
            ready: true,
            restartCount: 3,
            state: { running: {} },
          })),
        },
        cells: ['p-sidecar', '3/3', 'Running', '8', age, '<none>', '<none>', '<none>', '<none>'],
      },
      {
        name: 'p-ended',
        object: { metadata: { finalizers: ['example.com/f'] }, spec: { containers } },
        status: { phase: 'Succeeded' },
        deleted: true,
        cells: ['p-ended', '0/2', 'Terminating', '0', age, '<none>', '<none>', '<none>', '<none>'],
        conditions: [
          { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
        ],
      },
    ],
  },
  {
    collection: '/api/v1/namespaces/tt/podtemplates',
    columns: ['Name, string, name', 'Containers, string', 'Images, string', 'Pod Labels, string'],
    rows: [
      { name: 'pt0', object: { template: template }, cells: ['pt0', 'c1,c2', 'img:1,reg/img2@sha256:abc', 'a=b'] },
      {
        name: 'pt1',
        object: { template: { metadata: { labels: {} }, spec: { containers } } },
        cells: ['pt1', 'c1,c2', 'img:1,reg/img2@sha256:abc', '<none>'],
      },
    ],
  },
];
