import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const policies = '/apis/policy/v1beta1/podsecuritypolicies';
const rbac = '/apis/rbac.authorization.cl.io/v1';

const any = { rule: 'RunAsAny' };
const anyIdentity: JsonObject = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any };
const range = (min: number, max: number): JsonObject => ({ rule: 'MustRunAs', ranges: [{ min, max }] });
const seccomp = 'seccomp.security.alpha.cluster.io';
const appArmor = 'apparmor.security.beta.cluster.io';

/** A policy that has something to say about every field. */
const strict: JsonObject = {
  metadata: {
    name: 'strict',
    annotations: {
      [`${seccomp}/allowedProfileNames`]: 'runtime/default',
      [`${seccomp}/defaultProfileName`]: 'runtime/default',
      [`${appArmor}/allowedProfileNames`]: 'runtime/default',
      [`${appArmor}/defaultProfileName`]: 'runtime/default',
    },
  },
  spec: {
    defaultAddCapabilities: ['CHOWN'],
    requiredDropCapabilities: ['KILL'],
    allowedCapabilities: ['SETUID'],
    volumes: ['emptyDir', 'hostPath', 'flexVolume', 'csi'],
    hostPorts: [
      { min: 80, max: 90 },
      { min: 99, max: 99 },
    ],
    seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: 's0:c1,c2', user: 'u' } },
    runAsUser: range(10, 20),
    runAsGroup: range(10, 20),
    supplementalGroups: range(5, 6),
    fsGroup: range(7, 8),
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    allowedHostPaths: [{ pathPrefix: '/foo' }, { pathPrefix: '/ro', readOnly: true }],
    allowedFlexVolumes: [{ driver: 'a/b' }],
    allowedCSIDrivers: [{ name: 'd' }],
    allowedUnsafeSysctls: ['kernel.msg*'],
    forbiddenSysctls: ['kernel.shm_rmid_forced', 'net.*'],
    runtimeClass: { allowedRuntimeClassNames: ['rc'], defaultRuntimeClassName: 'rc' },
  },
};

const pod = (name: string, spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name, annotations },
  spec: { containers: [{ name: 'c', image: 'x' }], ...spec },
});

interface SentPod {
  readonly metadata: { readonly annotations?: JsonObject };
  readonly spec: {
    readonly securityContext?: JsonObject;
    readonly containers: readonly JsonObject[];
    readonly runtimeClassName?: string;
  };
}

/** A server with the plugin and some policies. */
async function start(...given: readonly JsonObject[]): Promise<TestServer> {
  const server = await startServer({
    store: 'memory',
    emulatedRelease: '1.24',
    authorizationMode: ['RBAC'],
    tokens: ['ann', 'bob'].map((name) => ({ token: name, username: name, groups: [] })),
    admissionPlugins: { enabled: ['PodSecurityPolicy'], disabled: ['ServiceAccount'] },
  });
  for (const name of ['rc', 'rd']) {
    await create(server, '/apis/node.cl.io/v1/runtimeclasses', { metadata: { name }, handler: 'h' });
  }
  for (const policy of given) await create(server, policies, policy);
  return server;
}

async function create(server: TestServer, path: string, body: JsonObject): Promise<void> {
  const { status, text } = await request(server, 'POST', path, body);
  assert.equal(status, 201, text);
}

const policy = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { ...anyIdentity, ...spec },
});
const createPod = (server: TestServer, body: JsonObject, token = server.token): Promise<HttpResponse> =>
  request({ ...server, token }, 'POST', pods, body);
const patchPod = (server: TestServer, name: string, body: JsonObject): Promise<HttpResponse> =>
  request(server, 'PATCH', `${pods}/${name}`, body, { 'content-type': 'application/strategic-merge-patch+json' });
const policyOf = ({ body, text }: HttpResponse): unknown => {
  const { annotations = {} } = (body as SentPod).metadata;
  return annotations['cluster.io/psp'] ?? text;
};
const assertRefused = ({ status, body, text }: HttpResponse, name: string, why: string): void => {
  assert.equal(status, 403, text);
  assert.equal((body as { message: string }).message, `pods "${name}" is forbidden: PodSecurityPolicy: ${why}`);
};

describe('Pod security policies', () => {
  it('allow nothing if there are none, or none that is complete', async () => {
    await using server = await start();
    const why = 'no providers available to validate pod request';
    assertRefused(await createPod(server, pod('p')), 'p', why);
    await create(server, policies, policy('p', { runAsUser: { rule: 'MustRunAs' } }));
    assertRefused(await createPod(server, pod('p')), 'p', why);
  });

  it('set what they require and the Pod does not have', async () => {
    await using server = await start(strict);
    const { status, body, text } = await createPod(server, pod('p', { initContainers: [{ name: 'i', image: 'x' }] }));
    assert.equal(status, 201, text);
    const { metadata, spec } = body as SentPod;
    assert.deepEqual(metadata.annotations, {
      'container.apparmor.security.beta.cluster.io/c': 'runtime/default',
      'container.apparmor.security.beta.cluster.io/i': 'runtime/default',
      'cluster.io/psp': 'strict',
      [`${seccomp}/pod`]: 'runtime/default',
    });
    assert.deepEqual(spec.securityContext, {
      seLinuxOptions: { user: 'u', level: 's0:c1,c2' },
      supplementalGroups: [5],
      fsGroup: 7,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    assert.deepEqual(spec.containers[0]?.['securityContext'], {
      capabilities: { add: ['CHOWN'], drop: ['KILL'] },
      runAsUser: 10,
      runAsGroup: 10,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    });
    assert.equal(spec.runtimeClassName, 'rc');
  });

  it('name everything that they refuse', async () => {
    await using server = await start(strict);
    const spec: JsonObject = {
      runtimeClassName: 'rd',
      hostPID: true,
      hostIPC: true,
      hostNetwork: true,
      securityContext: {
        runAsUser: 1,
        runAsGroup: 2,
        fsGroup: 1,
        supplementalGroups: [1, 5],
        seLinuxOptions: { level: 'x', user: 'v', role: 'r', type: 't' },
        sysctls: ['kernel.shm_rmid_forced', 'net.a', 'kernel.msgmax', 'fs.x'].map((name) => ({ name, value: '1' })),
      },
      volumes: [
        { name: 'a', secret: { secretName: 's' } },
        { name: 'h', hostPath: { path: '/bar' } },
        { name: 'r', hostPath: { path: '/ro/x' } },
        { name: 'f', flexVolume: { driver: 'x/y' } },
        { name: 'g', csi: { driver: 'e' } },
        { name: 'k', hostPath: { path: '/foo/../foo' } },
      ],
      containers: [
        {
          name: 'c',
          image: 'x',
          ports: [{ containerPort: 70, hostPort: 70 }],
          volumeMounts: [{ name: 'r', mountPath: '/x' }],
          securityContext: {
            privileged: true,
            readOnlyRootFilesystem: false,
            allowPrivilegeEscalation: true,
            runAsUser: 3,
            runAsGroup: 3,
            capabilities: { add: ['NET_ADMIN'], drop: ['SYS_TIME'] },
            seLinuxOptions: { level: 's0:c2,c1' },
          },
        },
      ],
    };
    const annotations = {
      'container.apparmor.security.beta.cluster.io/c': 'unconfined',
      [`${seccomp}/pod`]: 'unconfined',
      [`container.${seccomp}/c`]: 'localhost/x',
    };
    const at = 'spec.containers[0].securityContext';
    const seccompRule = 'is not an allowed seccomp profile. Valid values are runtime/default';
    const errors = [
      'spec.securityContext.fsGroup: Invalid value: [1]: group 1 must be in the ranges: [{7 8}]',
      'spec.securityContext.supplementalGroups: Invalid value: [1,5]: group 1 must be in the ranges: [{5 6}]',
      `pod.metadata.annotations[${seccomp}/pod]: Forbidden: unconfined ${seccompRule}`,
      'spec.securityContext.seLinuxOptions.level: Invalid value: "x": must be s0:c1,c2',
      'spec.securityContext.seLinuxOptions.role: Invalid value: "r": must be ',
      'spec.securityContext.seLinuxOptions.type: Invalid value: "t": must be ',
      'spec.securityContext.seLinuxOptions.user: Invalid value: "v": must be u',
      'spec.securityContext.hostNetwork: Invalid value: true: Host network is not allowed to be used',
      'spec.securityContext.hostPID: Invalid value: true: Host PID is not allowed to be used',
      'spec.securityContext.hostIPC: Invalid value: true: Host IPC is not allowed to be used',
      'pod.spec.securityContext.sysctls[0]: Forbidden: sysctl "kernel.shm_rmid_forced" is not allowed',
      'pod.spec.securityContext.sysctls[1]: Forbidden: sysctl "net.a" is not allowed',
      'pod.spec.securityContext.sysctls[3]: Forbidden: unsafe sysctl "fs.x" is not allowed',
      'spec.volumes[0]: Invalid value: "secret": secret volumes are not allowed to be used',
      'spec.volumes[1].hostPath.pathPrefix: Invalid value: "/bar": is not allowed to be used',
      'spec.containers[0].volumeMounts[0].readOnly: Invalid value: false: must be read-only',
      'spec.volumes[3].driver: Invalid value: "x/y": Flexvolume driver is not allowed to be used',
      'spec.volumes[4].csi.driver: Invalid value: "e": Inline CSI driver is not allowed to be used',
      'spec.runtimeClassName: Invalid value: "rd"',
      `${at}.runAsUser: Invalid value: 3: must be in the ranges: [{10 20}]`,
      `${at}: Invalid value: [3]: group 3 must be in the ranges: [{10 20}]`,
      `${at}.seLinuxOptions.user: Invalid value: "": must be u`,
      'pod.metadata.annotations[container.apparmor.security.beta.cluster.io/c]: Forbidden: ' +
        'unconfined is not an allowed profile. Allowed values: "runtime/default"',
      `pod.metadata.annotations[container.${seccomp}/c]: Forbidden: localhost/x ${seccompRule}`,
      `${at}.privileged: Invalid value: true: Privileged containers are not allowed`,
      `${at}.capabilities.add: Invalid value: "NET_ADMIN": capability may not be added`,
      'spec.containers[0].hostPort: Invalid value: 70: Host port 70 is not allowed to be used. Allowed ports: [80-90,99]',
      `${at}.readOnlyRootFilesystem: Invalid value: false: ReadOnlyRootFilesystem must be set to true`,
      `${at}.allowPrivilegeEscalation: Invalid value: true: Allowing privilege escalation for containers is not allowed`,
    ];
    assertRefused(
      await createPod(server, pod('p', spec, annotations)),
      'p',
      `unable to admit pod: [${errors.join(' ')}]`,
    );
  });

  it('allow everything if they say so', async () => {
    await using server = await start(
      policy('open', {
        privileged: true,
        hostNetwork: true,
        hostPID: true,
        hostPorts: [{ min: 0, max: 65535 }],
        volumes: ['*'],
        allowedCapabilities: ['*'],
      }),
    );
    const spec: JsonObject = {
      hostNetwork: true,
      hostPID: true,
      volumes: [{ name: 'v', hostPath: { path: '/' } }],
      containers: [
        {
          name: 'c',
          image: 'x',
          ports: [{ containerPort: 1, hostPort: 1 }],
          securityContext: { privileged: true, runAsUser: 0, capabilities: { add: ['SYS_ADMIN'] } },
        },
      ],
    };
    assert.equal(policyOf(await createPod(server, pod('p', spec))), 'open');
  });

  it('have rules without defaults for groups, and for users that must not be root', async () => {
    const mayRunAs = (min: number, max: number): JsonObject => ({ ...range(min, max), rule: 'MayRunAs' });
    const users = { runAsUser: { rule: 'MustRunAsNonRoot' }, runAsGroup: mayRunAs(5, 6), fsGroup: mayRunAs(5, 6) };
    await using server = await start(policy('soft', users));
    const created = await createPod(server, pod('p'));
    assert.deepEqual((created.body as SentPod).spec.containers[0]?.['securityContext'], { runAsNonRoot: true });
    const at = 'spec.containers[0].securityContext';
    const refused: readonly (readonly [securityContext: JsonObject, error: string])[] = [
      [{ runAsUser: 0 }, `${at}.runAsUser: Invalid value: 0: running with the root UID is forbidden`],
      [{ runAsNonRoot: false }, `${at}.runAsNonRoot: Invalid value: false: must be true`],
      [{ runAsGroup: 9, runAsUser: 1 }, `${at}: Invalid value: [9]: group 9 must be in the ranges: [{5 6}]`],
    ];
    for (const [securityContext, error] of refused) {
      const containers = [{ name: 'c', image: 'x', securityContext }];
      assertRefused(await createPod(server, pod('q', { containers })), 'q', `unable to admit pod: [${error}]`);
    }
  });

  it('are tried in the order of their names, those that change nothing first', async () => {
    const dropping = { requiredDropCapabilities: ['KILL'] };
    await using server = await start(policy('c', dropping), policy('b', dropping), policy('a', range(1, 2)));
    await request(server, 'DELETE', `${policies}/a`);
    assert.equal(policyOf(await createPod(server, pod('p'))), 'b');
    await create(server, policies, policy('z'));
    assert.equal(policyOf(await createPod(server, pod('q'))), 'z');
  });

  it('let updates pass that no policy would have to change, and collectors', async () => {
    await using server = await start(policy('a'));
    await createPod(server, pod('p'));
    assert.equal((await patchPod(server, 'p', { metadata: { labels: { a: 'b' } } })).status, 200);
    await create(server, policies, policy('b', { requiredDropCapabilities: ['KILL'] }));
    await request(server, 'DELETE', `${policies}/a`);
    assertRefused(await patchPod(server, 'p', { metadata: { labels: { a: 'c' } } }), 'p', 'unable to validate pod: []');
    await request(server, 'DELETE', `${policies}/b`);
    const why = 'no providers available to validate pod request';
    assertRefused(await patchPod(server, 'p', { metadata: { labels: { a: 'c' } } }), 'p', why);
    assert.equal((await patchPod(server, 'p', { metadata: { finalizers: ['a/b'] } })).status, 200);
    assert.equal((await patchPod(server, 'p/status', { status: { phase: 'Running' } })).status, 200);
  });

  it('apply to ephemeral containers', async () => {
    await using server = await start(policy('a'));
    await createPod(server, pod('p'));
    const container = { name: 'e', image: 'x', terminationMessagePolicy: 'File', imagePullPolicy: 'Never' };
    const added = (rest: JsonObject) =>
      patchPod(server, 'p/ephemeralcontainers', { spec: { ephemeralContainers: [{ ...container, ...rest }] } });
    const at = 'spec.ephemeralContainers[0].securityContext.privileged';
    const why = `unable to validate pod: [${at}: Invalid value: true: Privileged containers are not allowed]`;
    assertRefused(await added({ securityContext: { privileged: true } }), 'p', why);
    const { status, text } = await added({});
    assert.equal(status, 200, text);
  });

  it('allow what the server itself gives to Pods where they allow Secrets', async () => {
    await using server = await start(policy('a', { volumes: ['secret'] }));
    const token = { serviceAccountToken: { path: 'token' } };
    const ca = { configMap: { name: 'cluster-root-ca.crt' } };
    const namespaceItem = { path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } };
    const withSources = (name: string, ...sources: JsonObject[]) =>
      createPod(server, pod(name, { serviceAccountName: 'a', volumes: [{ name: 'v', projected: { sources } }] }));
    const downward = (item: JsonObject): JsonObject => ({ downwardAPI: { items: [item] } });
    const allowed: JsonObject[][] = [[token, ca, downward(namespaceItem)], [ca], []];
    for (const [index, sources] of allowed.entries()) {
      assert.equal(policyOf(await withSources(`p${index}`, ...sources)), 'a');
    }
    const why = 'spec.volumes[0]: Invalid value: "projected": projected volumes are not allowed to be used';
    const refused: readonly JsonObject[] = [
      { secret: { name: 's' } },
      { configMap: { name: 'other' } },
      { serviceAccountToken: { path: 'other' } },
      { serviceAccountToken: { path: 'token', audience: 'other' } },
      downward({ ...namespaceItem, path: 'other' }),
      downward({ ...namespaceItem, fieldRef: { fieldPath: 'metadata.name' } }),
    ];
    for (const source of refused) {
      assertRefused(await withSources('q', token, source), 'q', `unable to admit pod: [${why}]`);
    }
  });

  it('allow no seccomp profile if their list of profiles is empty', async () => {
    const empty: JsonObject = { name: 'a', annotations: { [`${seccomp}/allowedProfileNames`]: '' } };
    await using server = await start({ metadata: empty, spec: anyIdentity });
    assert.equal(policyOf(await createPod(server, pod('p'))), 'a');
    const why = `pod.metadata.annotations[container.${seccomp}/c]: Forbidden: unconfined is not an allowed seccomp profile. Valid values are `;
    const refused = await createPod(server, pod('q', {}, { [`container.${seccomp}/c`]: 'unconfined' }));
    assertRefused(refused, 'q', `unable to admit pod: [${why}]`);
  });

  it('refuse a Pod without a name as Unknown', async () => {
    await using server = await start();
    const { metadata: _, ...unnamed } = pod('');
    assertRefused(await createPod(server, unnamed), 'Unknown', 'no providers available to validate pod request');
  });

  it('must be usable by the creator of a Pod or its service account', async () => {
    await using server = await start(policy('a'));
    const bind = async (name: string, rules: JsonObject[], ...subjects: JsonObject[]): Promise<void> => {
      await create(server, `${rbac}/clusterroles`, { metadata: { name }, rules });
      const roleRef = { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name };
      await create(server, `${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
    };
    const user = (name: string) => ({ kind: 'User', name, apiGroup: 'rbac.authorization.cl.io' });
    const use = (group: string): JsonObject => ({
      verbs: ['use'],
      apiGroups: [group],
      resources: ['podsecuritypolicies'],
      resourceNames: ['a'],
    });
    await bind('pods', [{ verbs: ['*'], apiGroups: [''], resources: ['pods'] }], user('ann'), user('bob'));
    await bind('ann', [use('extensions')], user('ann'));
    await bind('builder', [use('policy')], { kind: 'ServiceAccount', name: 'builder', namespace: 'default' });
    assert.equal(policyOf(await createPod(server, pod('p'), 'ann')), 'a');
    assertRefused(await createPod(server, pod('q'), 'bob'), 'q', 'unable to admit pod: []');
    assertRefused(await createPod(server, pod('q', { hostPID: true }), 'bob'), 'q', 'unable to admit pod: []');
    assert.equal(policyOf(await createPod(server, pod('q', { serviceAccountName: 'builder' }), 'bob')), 'a');
  });
});
