import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeGroupsOf } from '../../../src/cli/up/node-flags.ts';

describe('the flags of cl up about nodes', () => {
  let directory: string;
  const none = { nodes: 0, nodeCapacity: [], nodeLabels: [], nodeTaints: [], nodeStages: [], nodesFile: undefined };
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'node-flags-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  const written = async (text: string) => {
    await writeFile(path.join(directory, 'nodes.yaml'), text);
    return { ...none, nodesFile: 'nodes.yaml' };
  };

  it('describe one group', async () => {
    const flags = {
      ...none,
      nodes: 3,
      nodeCapacity: ['cpu=8', 'memory=32Gi'],
      nodeLabels: ['zone=a', 'empty='],
      nodeTaints: ['gpu=true:NoSchedule', 'slow:PreferNoSchedule'],
    };
    assert.deepEqual(await nodeGroupsOf(flags, directory), [
      {
        count: 3,
        capacity: { cpu: '8', memory: '32Gi' },
        labels: { zone: 'a', empty: '' },
        taints: [
          { key: 'gpu', value: 'true', effect: 'NoSchedule' },
          { key: 'slow', effect: 'PreferNoSchedule' },
        ],
      },
    ]);
  });

  it('name a file with groups, beside which --nodes adds one', async () => {
    const file = await written('- count: 2\n  name: big\n  capacity: { cpu: "64" }\n- { count: 1, name: small }\n');
    const groups = await nodeGroupsOf({ ...file, nodes: 1 }, directory);
    assert.deepEqual(
      groups.map(({ name = 'node', count }) => `${name} ${count}`),
      ['node 1', 'big 2', 'small 1'],
    );
  });

  it('name files of stages, which may have several documents', async () => {
    const stage = (name: string) =>
      `metadata: { name: ${name} }\nspec: { resource: pods, selector: {}, next: { outcome: Failed } }\n`;
    await writeFile(path.join(directory, 'stages.yaml'), `---\n${stage('a')}---\n${stage('b')}`);
    const [group] = await nodeGroupsOf({ ...none, nodes: 1, nodeStages: ['stages.yaml'] }, directory);
    assert.deepEqual(
      group?.stages?.map(({ metadata }) => metadata.name),
      ['a', 'b'],
    );
    await writeFile(path.join(directory, 'wrong.yaml'), stage('a').replace('Failed', 'Broken'));
    const wrong = nodeGroupsOf({ ...none, nodes: 1, nodeStages: ['wrong.yaml'] }, directory);
    await assert.rejects(wrong, /^CliError: wrong\.yaml: \[0\]\.spec\.next\.outcome: "Broken" is not valid/);
    await assert.rejects(nodeGroupsOf({ ...none, nodeStages: ['stages.yaml'] }, directory), /need --nodes/);
  });

  it('are refused with the place of the mistake', async () => {
    const refused = (flags: Parameters<typeof nodeGroupsOf>[0], message: RegExp) =>
      assert.rejects(nodeGroupsOf(flags, directory), message);
    await refused({ ...none, nodeLabels: ['a=b'] }, /need --nodes/);
    await refused({ ...none, nodes: 1, nodeCapacity: ['cpu'] }, /--node-capacity: "cpu" is not NAME=VALUE/);
    await refused(
      { ...none, nodes: 1, nodeCapacity: ['cpu=x'] },
      /--nodes: nodes\[0\]\.capacity\.cpu: "x" is not valid/,
    );
    await refused({ ...none, nodes: 1, nodeTaints: ['gpu'] }, /--node-taints: "gpu" is not KEY=VALUE:EFFECT/);
    await refused(await written('- count: 1\n  colour: red\n'), /^CliError: nodes\.yaml: nodes\[0\]\.colour: "colour"/);
    await refused(await written('- [\n'), /nodes\.yaml is not valid YAML/);
    await refused(await written('- {count: 1, labels: {__proto__: x}}\n'), /nodes\[0\]\.labels/);
    await refused({ ...none, nodesFile: 'absent.yaml' }, /absent\.yaml cannot be read/);
  });
});
