import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

const privileged = { name: 'i', image: 'x', securityContext: { privileged: true } };

/** Pods, and what the messages of both plugins say about them; '' where a plugin allows them. */
const pods: readonly (readonly [name: string, spec: JsonObject, escalating: string, onPrivileged: string])[] = [
  ['plain', {}, '', ''],
  ['network', { hostNetwork: true }, 'a container using host network', ''],
  ['pid', { hostPID: true }, 'a container using host pid', ''],
  ['ipc', { hostIPC: true }, 'a container using host ipc', ''],
  ['init', { initContainers: [privileged] }, 'a privileged container', 'a privileged container'],
];

for (const [plugin, messageAt] of [
  ['DenyEscalatingExec', 2],
  ['DenyExecOnPrivileged', 3],
] as const) {
  describe(plugin, () => {
    it('refuses exec and attach into Pods from which their node can be controlled, and nothing else', async () => {
      await using server = await startServer({
        admissionPlugins: { enabled: [plugin], disabled: [] },
        store: 'memory',
      });
      const path = '/api/v1/namespaces/default/pods';
      for (const row of pods) {
        const [name, spec] = row;
        const body = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'x' }], ...spec } };
        assert.equal((await request(server, 'POST', path, body)).status, 201);
        for (const subresource of ['exec', 'attach', 'portforward']) {
          const { status, body: response } = await request(server, 'POST', `${path}/${name}/${subresource}?command=ls`);
          const refusal = subresource === 'portforward' ? '' : row[messageAt];
          assert.equal(status, refusal ? 403 : 400, `${name}/${subresource}`);
          const message = `pods "${name}" is forbidden: cannot exec into or attach to ${refusal}`;
          if (refusal) assert.equal((response as { message: string }).message, message);
        }
      }
      const { status, body } = await request(server, 'POST', `${path}/none/exec?command=ls`);
      assert.equal(status, 403);
      assert.equal((body as { message: string }).message, 'pods "none" is forbidden: pods "none" not found');
    });
  });
}
