import type { JsonObject } from '../../meta/json-value.ts';
import { example, type Examples } from './example.ts';

const resources: JsonObject = { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } };
const web: JsonObject = {
  name: 'web',
  image: 'registry.example.com/web:1.0',
  ports: [{ name: 'http', containerPort: 8080 }],
  resources,
};
const probed: JsonObject = {
  ...web,
  readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
  livenessProbe: { httpGet: { path: '/live', port: 'http' }, initialDelaySeconds: 10 },
};
const worker: JsonObject = { name: 'worker', image: 'registry.example.com/worker:1.0', resources };
const once = { restartPolicy: 'Never', containers: [worker] };

const labelled = (app: string, container: JsonObject, more: JsonObject = {}): JsonObject => ({
  selector: { matchLabels: { app } },
  template: { metadata: { labels: { app } }, spec: { containers: [container], ...more } },
});

/** Examples of kinds that run containers. */
export const workloads: Examples = {
  '/pods': [
    example('One container', 'web', { spec: { containers: [web] } }),
    example('With configuration and a volume', 'web', {
      spec: {
        containers: [
          {
            ...web,
            envFrom: [{ configMapRef: { name: 'settings' } }],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    }),
  ],
  'apps/deployments': [
    example('Web server', 'web', { spec: { replicas: 2, ...labelled('web', web) } }),
    example('Web server with checks, updated one by one', 'web', {
      spec: {
        replicas: 3,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        ...labelled('web', probed),
      },
    }),
  ],
  'apps/replicasets': [example('Two pods', 'web', { spec: { replicas: 2, ...labelled('web', web) } })],
  'apps/daemonsets': [
    example('A pod on each node', 'agent', { spec: labelled('agent', { ...worker, name: 'agent' }) }),
    example('On each node, whatever its taints', 'agent', {
      spec: labelled('agent', { ...worker, name: 'agent' }, { tolerations: [{ operator: 'Exists' }] }),
    }),
  ],
  'apps/statefulsets': [
    example('Replicas with a volume each', 'store', {
      spec: {
        serviceName: 'store',
        replicas: 3,
        ...labelled('store', { ...web, name: 'store', volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    }),
  ],
  'batch/jobs': [
    example('Run once', 'migrate', { spec: { backoffLimit: 3, template: { spec: once } } }),
    example('Ten tasks, three at a time', 'tasks', {
      spec: { completions: 10, parallelism: 3, completionMode: 'Indexed', template: { spec: once } },
    }),
  ],
  'batch/cronjobs': [
    example('Each night', 'report', {
      spec: {
        schedule: '0 2 * * *',
        concurrencyPolicy: 'Forbid',
        jobTemplate: { spec: { template: { spec: once } } },
      },
    }),
  ],
  'autoscaling/horizontalpodautoscalers': [
    example('By processor time', 'web', {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    }),
  ],
  'policy/poddisruptionbudgets': [
    example('Keep one pod', 'web', { spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } }),
  ],
  'scheduling/priorityclasses': [
    example('For what must run', 'important', { value: 100_000, description: 'Work that others wait for.' }),
  ],
  '/replicationcontrollers': [
    example('Two pods', 'web', {
      spec: { replicas: 2, selector: { app: 'web' }, template: labelled('web', web)['template'] ?? {} },
    }),
  ],
};
