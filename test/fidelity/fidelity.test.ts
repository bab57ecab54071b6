import assert from 'node:assert/strict';
import { isJsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { everyVersion } from '../http/every-version.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type ApiTarget, connectTarget } from './api-target.ts';
import { areas } from './areas/areas.ts';
import { withoutPath } from './json-paths.ts';
import { type FidelityReport, runFidelity } from './run-fidelity.ts';
import { servedSubjects } from './served-subjects.ts';

/** The server compared with itself: what it does must follow from what is asked, and nothing else may be compared. */
describe('The comparison of two servers', () => {
  const servers: TestServer[] = [];
  before(async () => {
    const own = { ...everyVersion, store: 'memory', identifiers: 'kubernetes', logLevel: 'silent' } as const;
    // Fair queuing writes the statuses of flow schemas when it comes to it.
    const options = { ...own, priorityAndFairness: false };
    servers.push(...(await Promise.all([startServer(options), startServer(options)])));
  });
  after(() => Promise.all(servers.map((server) => server.stop())));

  it('finds nothing where both are the same', async () => {
    const report = await compare(servers, { steps: 250, areaNames: areas.map(({ area }) => area.name) });
    assert.deepEqual(
      report.groups.map(({ finding }) => finding.signature),
      [],
    );
    assert.ok(report.accepted > report.steps / 4, `only ${report.accepted} of ${report.steps} steps were taken`);
  });

  it('finds an answer that is changed on its way, and makes the requests small that show it', async () => {
    const report = await compare(servers, { steps: 400, areaNames: ['writes'], planted: withoutTier });
    assert.ok(report.groups.length > 0);
    for (const { finding, sequence } of report.groups) {
      assert.match(finding.signature, /body\.metadata\.labels\S* only reference/);
      // One request that sets the label, and perhaps one that made the object before.
      assert.ok(sequence.steps.length <= 2, JSON.stringify(sequence.steps));
    }
  });

  it('finds an event that a watch leaves out', async () => {
    const planned = { steps: 60, areaNames: ['watches'], minimiseMs: 0, planted: withoutDeletions };
    const report = await compare(servers, planned);
    assert.ok(report.groups.length > 0);
    // The next event may stand in its place.
    for (const { finding } of report.groups) assert.match(finding.signature, /GET body\.events\./);
  });
});

interface Planned {
  readonly steps: number;
  readonly areaNames: readonly string[];
  /** The time for making a finding small; without limit unless a story says how much. */
  readonly minimiseMs?: number;
  /** Stands between the comparison and our server. */
  readonly planted?: (target: ApiTarget) => ApiTarget;
}

async function compare(
  [first, second]: readonly TestServer[],
  { steps, areaNames, minimiseMs = Number.POSITIVE_INFINITY, planted = (target) => target }: Planned,
): Promise<FidelityReport> {
  assert.ok(first && second);
  await using reference = connectTarget(first.url, first.token);
  await using ours = connectTarget(second.url, second.token);
  const both = { reference, ours: planted(ours) };
  return await runFidelity({
    servers: both,
    seed: 7,
    steps,
    areas: areas.filter(({ area }) => areaNames.includes(area.name)),
    subjects: await servedSubjects(both),
    workers: 4,
    minimiseMs,
    run: `${areaNames.length}${planted.name.toLowerCase()}-`,
  });
}

/** Answers lack the label `tier`. */
function withoutTier(target: ApiTarget): ApiTarget {
  return {
    ...target,
    send: async (request) => {
      const response = await target.send(request);
      return { ...response, body: withoutPath(response.body, ['metadata', 'labels', 'tier']) };
    },
  };
}

/** Watches lack what is deleted. */
function withoutDeletions(target: ApiTarget): ApiTarget {
  return {
    ...target,
    watch: async (path, signal) => remaining(await target.watch(path, signal)),
  };
}

async function* remaining(documents: AsyncIterable<JsonValue>): AsyncIterable<JsonValue> {
  for await (const document of documents) {
    if (!isJsonObject(document) || document['type'] !== 'DELETED') yield document;
  }
}
