import { age, type TableStory } from './table-story.ts';

/** Autoscalers with each type of metric. */
export const autoscalers: readonly TableStory[] = [
  {
    collection: '/apis/autoscaling/v2beta2/namespaces/tt/horizontalpodautoscalers',
    columns: [
      'Name, string, name',
      'Reference, string',
      'Targets, string',
      'MinPods, string',
      'MaxPods, string',
      'Replicas, string',
      'Age, string',
    ],
    rows: [
      {
        name: 'h0',
        object: { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 5 } },
        cells: ['h0', 'Deployment/d', 'cpu: <unknown>/80%', '1', 5, 0, age],
      },
      {
        name: 'h1',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            minReplicas: 2,
            metrics: [
              { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
            ],
          },
        },
        status: {
          currentReplicas: 2,
          desiredReplicas: 3,
          currentMetrics: [
            { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 33, averageValue: '5m' } } },
          ],
          conditions: [],
        },
        cells: ['h1', 'Deployment/d', 'cpu: 33%/70%', '2', 5, 2, age],
      },
      {
        name: 'h2',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            metrics: [
              { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
              { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '2Gi' } } },
              { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '100' } } },
            ],
          },
        },
        cells: ['h2', 'Deployment/d', 'memory: <unknown>/2Gi, <unknown>/100 + 1 more...', '1', 5, 0, age],
      },
      {
        name: 'h3',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            metrics: [
              { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '2Gi' } } },
              { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '100' } } },
            ],
          },
        },
        status: {
          currentReplicas: 2,
          desiredReplicas: 3,
          currentMetrics: [
            { type: 'Resource', resource: { name: 'memory', current: { averageValue: '1Gi' } } },
            { type: 'Pods', pods: { metric: { name: 'm' }, current: { averageValue: '50' } } },
          ],
          conditions: [],
        },
        cells: ['h3', 'Deployment/d', 'memory: 1Gi/2Gi, 50/100', '1', 5, 2, age],
      },
      {
        name: 'h4',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            metrics: [
              {
                type: 'External',
                external: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '100' } },
              },
              { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '100' } } },
            ],
          },
        },
        status: {
          currentReplicas: 2,
          desiredReplicas: 3,
          currentMetrics: [
            { type: 'External', external: { metric: { name: 'm' }, current: { averageValue: '50' } } },
            { type: 'External', external: { metric: { name: 'm' }, current: { value: '60' } } },
          ],
          conditions: [],
        },
        cells: ['h4', 'Deployment/d', '50/100 (avg), 60/100', '1', 5, 2, age],
      },
      {
        name: 'h5',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            metrics: [
              {
                type: 'External',
                external: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '100' } },
              },
              { type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '100' } } },
            ],
          },
        },
        cells: ['h5', 'Deployment/d', '<unknown>/100 (avg), <unknown>/100', '1', 5, 0, age],
      },
      {
        name: 'h6',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            metrics: [
              {
                type: 'Object',
                object: {
                  describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
                  metric: { name: 'm' },
                  target: { type: 'Value', value: '10' },
                },
              },
              {
                type: 'Object',
                object: {
                  describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
                  metric: { name: 'm' },
                  target: { type: 'AverageValue', averageValue: '100' },
                },
              },
            ],
          },
        },
        status: {
          currentReplicas: 2,
          desiredReplicas: 3,
          currentMetrics: [
            {
              type: 'Object',
              object: {
                describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
                metric: { name: 'm' },
                current: { value: '7' },
              },
            },
            {
              type: 'Object',
              object: {
                describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
                metric: { name: 'm' },
                current: { averageValue: '50', value: '0' },
              },
            },
          ],
          conditions: [],
        },
        cells: ['h6', 'Deployment/d', '7/10, 50/100 (avg)', '1', 5, 2, age],
      },
      {
        name: 'h7',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            metrics: [
              {
                type: 'Object',
                object: {
                  describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
                  metric: { name: 'm' },
                  target: { type: 'Value', value: '10' },
                },
              },
              {
                type: 'Object',
                object: {
                  describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
                  metric: { name: 'm' },
                  target: { type: 'AverageValue', averageValue: '100' },
                },
              },
            ],
          },
        },
        cells: ['h7', 'Deployment/d', '<unknown>/10, <unknown>/100 (avg)', '1', 5, 0, age],
      },
      {
        name: 'h8',
        object: {
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
            maxReplicas: 5,
            metrics: [
              { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
              { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '2Gi' } } },
            ],
          },
        },
        status: {
          currentReplicas: 2,
          desiredReplicas: 3,
          currentMetrics: [{ type: 'Resource', resource: { name: 'memory', current: { averageValue: '1Gi' } } }],
          conditions: [],
        },
        cells: ['h8', 'Deployment/d', 'memory: 1Gi/2Gi, cpu: <unknown>/70%', '1', 5, 2, age],
      },
    ],
  },
];
