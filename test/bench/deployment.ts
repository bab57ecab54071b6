/** The path of the Deployments of one of the bench's namespaces. */
export function deploymentsPath(namespace: string): string {
  return `/apis/apps/v1/namespaces/${namespace}/deployments`;
}

/** A Deployment of about 2 KB, as a client applies it. */
export function deployment(name: string, replicas = 1): string {
  const labels = { app: name, 'app.example.com/part-of': 'bench', tier: 'backend' };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      labels,
      annotations: { 'example.com/owner': 'team-a', 'example.com/docs': 'https://example.com/a' },
    },
    spec: {
      replicas,
      revisionHistoryLimit: 5,
      selector: { matchLabels: { app: name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels, annotations: { 'example.com/scrape': 'true', 'example.com/port': '9090' } },
        spec: {
          serviceAccountName: 'default',
          terminationGracePeriodSeconds: 45,
          securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 },
          containers: [serverContainer, proxyContainer],
          volumes: [
            { name: 'config', configMap: { name: 'server-config' } },
            { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
          ],
        },
      },
    },
  });
}

const serverContainer = {
  name: 'server',
  image: 'registry.example.com/team-a/server:1.42.0',
  args: ['--listen=:8080', '--metrics=:9090', '--config=/etc/server/config.yaml', '--log-level=info'],
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'MODE', value: 'production' },
    { name: 'CACHE_BYTES', value: '67108864' },
  ],
  resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, initialDelaySeconds: 10, periodSeconds: 10 },
  readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5, failureThreshold: 3 },
  volumeMounts: [
    { name: 'config', mountPath: '/etc/server', readOnly: true },
    { name: 'scratch', mountPath: '/var/cache/server' },
  ],
};

const proxyContainer = {
  name: 'proxy',
  image: 'registry.example.com/team-a/proxy:0.9.3',
  args: ['--upstream=127.0.0.1:8080'],
  ports: [{ name: 'https', containerPort: 8443, protocol: 'TCP' }],
  resources: { requests: { cpu: '50m', memory: '32Mi' }, limits: { cpu: '200m', memory: '64Mi' } },
};
